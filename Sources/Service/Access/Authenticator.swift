import Cryptography
import HTTPTypes
import Hummingbird
import Organizations

/// Finds out who makes a request, by its bearer key (RFC 6750).
struct Authenticator: Sendable {
    let operatorKey: AccessKeyDigest
    let organizations: any OrganizationStore

    func caller(of request: Request) async throws -> Caller {
        guard let header = request.headers[.authorization] else { return .nobody }
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer", let credential = Credential(String(words[1])) else {
            return .nobody
        }
        let digest = credential.digest
        if constantTimeEqual(digest.bytes, operatorKey.bytes) { return .operator }
        return try await organizations.key(with: digest).map(Caller.key) ?? .nobody
    }
}
