import ASCII
import Consent
import HTTPTypes
import Hummingbird
import Identifiers
import Organizations
import UseCases

/// Records looks at recipients through the API, for organizations with that setting.
///
/// A look is an answer about one recipient: to a request that names them, or that names one thing about them. Lists,
/// feeds and whole exports are about all recipients together, and are no looks.
struct AccessRecording: Sendable {
    let organizations: any OrganizationDirectory
    let accesses: PersonAccess

    /// The caller must await it before it answers anything about the recipient: on return the look is durable.
    ///
    /// - Parameter recipient: `nil` if neither the request nor the result names a recipient; then nothing is recorded.
    /// - Returns: the recorded look; `nil` if nothing is recorded. Data that the caller reads after this must be shown
    ///   under it.
    /// - Throws: 422 if the organization requires a reason and the request gives none.
    @discardableResult
    func record(
        _ what: AccessedRecords, of recipient: RecipientID?, _ call: AuthenticatedRequest
    ) async throws -> RecordedAccess? {
        try await record(what, call) { recipient }
    }

    /// The same if a look-up must find the recipient. It is made only if the organization records looks.
    @discardableResult
    func record(
        _ what: AccessedRecords, _ call: AuthenticatedRequest, whom find: () async throws -> RecipientID?
    ) async throws -> RecordedAccess? {
        // An invalid reason is refused even if none is needed.
        let reason = try call.request.accessReason
        guard let who = call.principal.accessor else { return nil }
        let id = try call.organization
        guard let organization = try await organizations.organization(id), organization.recordsAccess,
            let recipient = try await find()
        else { return nil }
        guard let reason else {
            throw Problem(
                .unprocessableContent,
                """
                This organization records every look at a recipient: the header Access-Reason must say why, in 1 to \
                \(AccessReason.maximumLength) characters, percent-encoded.
                """)
        }
        return try await accesses.look(who: who, reason: reason, recipient: recipient, what: what, organization: id)
    }
}

extension Request {
    /// The caller's reason: the header `Access-Reason`, in which everything but printable ASCII is percent-encoded
    /// UTF-8 (RFC 3986, 2.1). A percent sign itself is `%25`.
    ///
    /// `nil` if the caller gives none.
    /// - Throws: 422 if there are two, and if it is invalid. The problem never repeats the header.
    fileprivate var accessReason: AccessReason? {
        get throws {
            let values = headers[values: .accessReason]
            guard let value = values.first else { return nil }
            guard values.count == 1 else { throw Self.refusal("must be given once") }
            guard let text = value.percentDecoded else { throw Self.refusal("must be percent-encoded UTF-8") }
            do throws(AccessTextError) { return try AccessReason(stated: text) } catch {
                throw Self.refusal(error.description)
            }
        }
    }

    private static func refusal(_ detail: String) -> Problem {
        Problem(.unprocessableContent, "The header Access-Reason \(detail).")
    }
}

extension String {
    /// - Returns: `nil` if there is a character that is not printable ASCII, or if the octets are not UTF-8.
    fileprivate var percentDecoded: String? {
        guard utf8.allSatisfy(\.isPrintable), let bytes = PercentEncoding.decode(utf8) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension HTTPField.Name {
    fileprivate static var accessReason: HTTPField.Name { .known("Access-Reason") }
}
