import Cryptography
import HTTPTypes
import Hummingbird
import Organizations

/// Finds out who makes a request, by its bearer key (RFC 6750).
struct Authenticator: Sendable {
    let operatorKey: AccessKeyDigest
    let organizations: any OrganizationStore

    /// A key is of an organization that is there; the operator may name one that is not.
    func refuseUnknownOrganization(_ call: Call) async throws {
        guard case .operator = call.caller, call.context.parameters.get("org") != nil else { return }
        guard try await organizations.organization(try call.organization) != nil else { throw Problem.notFound }
    }

    /// - Parameter header: the value of `Authorization`.
    func caller(by header: String?) async throws -> Caller {
        guard let header else { return .nobody }
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer", let credential = Credential(String(words[1])) else {
            return .nobody
        }
        let digest = credential.digest
        if constantTimeEqual(digest.bytes, operatorKey.bytes) { return .operator }
        return try await organizations.key(with: digest).map(Caller.key) ?? .nobody
    }
}
