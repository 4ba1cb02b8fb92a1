import Consent
import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import Organizations
import UseCases

/// A person whose page is open in a browser, and why.
///
/// The browser keeps both under a seal, in a cookie for each case; the address of the page has its random id alone. It
/// opens in the same session and organization, for ``lifetime``.
struct PersonCase {
    /// What of the person is shown; each was recorded as such a look.
    enum Kind: String {
        case timeline
        /// Who looked at them.
        case looks

        var what: AccessedRecords {
            switch self {
            case .timeline: .timeline
            case .looks: .accesses
            }
        }
    }

    /// In milliseconds.
    static let lifetime: Int64 = 15 * 60_000
    /// Open at once in one browser; the oldest is closed.
    private static let most = 4
    private static let cookiePrefix = "__Host-case-"
    private static let idLength = 32
    /// In neither a recipient nor a reason.
    private static let separator: Character = "\u{0}"

    let id: String
    let recipient: RecipientID
    let reason: AccessReason

    /// Records the look, and opens a case then.
    /// - Returns: the cookies for it.
    static func open(
        _ kind: Kind, of recipient: RecipientID, because reason: AccessReason, _ accesses: PersonAccess,
        _ call: ConsoleCall
    ) async throws -> (PersonCase, cookies: [(HTTPField.Name, String)]) {
        let organization = try call.requiredOrganization.id
        try await accesses.record(
            who: call.account.accessor, reason: reason, recipient: recipient, what: kind.what,
            organization: organization)
        let id = Hexadecimal.encode(SecureRandom().newBytes(idLength / 2))
        let sealed = try call.tools.sealed.seal(
            "\(recipient.text)\(separator)\(reason.text)", for: use(kind, id, organization), holder: call.holder,
            until: call.now.advanced(byMilliseconds: lifetime))
        let old = cookieNames(call)
        let closed = old.dropLast(most - 1).map { call.cookie(.ended($0)) }
        let cookie = Cookie(
            name: cookiePrefix + id, value: sealed, maxAge: Int(lifetime / 1000), path: "/", secure: true,
            httpOnly: true, sameSite: .lax)
        return (PersonCase(id: id, recipient: recipient, reason: reason), closed + [call.cookie(cookie)])
    }

    /// The case that the path names.
    /// - Throws: ``ConsoleRefusal/caseClosed``
    static func opened(_ kind: Kind, _ call: ConsoleCall) throws -> PersonCase {
        guard let id = call.context.parameters.get("case"), id.utf8.count == idLength,
            let sealed = call.request.cookies[cookiePrefix + id]?.value,
            let text = call.tools.sealed.open(
                sealed, for: use(kind, id, try call.requiredOrganization.id), holder: call.holder, at: call.now)
        else { throw ConsoleRefusal.caseClosed }
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let recipient = try? RecipientID(String(parts[0])),
            let reason = try? AccessReason(String(parts[1]))
        else { throw ConsoleRefusal.caseClosed }
        return PersonCase(id: id, recipient: recipient, reason: reason)
    }

    /// Records a further look at the person, for the same reason.
    func record(_ what: AccessedRecords, _ accesses: PersonAccess, _ call: ConsoleCall) async throws {
        try await accesses.record(
            who: call.account.accessor, reason: reason, recipient: recipient, what: what,
            organization: call.requiredOrganization.id)
    }

    func closing(_ call: ConsoleCall) -> (HTTPField.Name, String) { call.cookie(.ended(Self.cookiePrefix + id)) }

    private static func use(_ kind: Kind, _ id: String, _ organization: OrganizationID) -> String {
        "case \(kind.rawValue) \(id) \(organization)"
    }

    /// In the order in which the browser got them (RFC 6265, 5.4).
    private static func cookieNames(_ call: ConsoleCall) -> [String] {
        call.request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let name = pair.drop { $0 == " " }.prefix { $0 != "=" }
            let isCase = name.hasPrefix(cookiePrefix) && name.utf8.count == cookiePrefix.utf8.count + idLength
            return isCase ? String(name) : nil
        }
    }
}

extension SecureRandom {
    fileprivate func newBytes(_ count: Int) -> [UInt8] {
        var generator = self
        return generator.bytes(count)
    }
}
