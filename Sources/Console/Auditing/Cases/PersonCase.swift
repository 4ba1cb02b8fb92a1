import Consent
import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import Organizations
import UseCases

/// A person whose page is open in a browser, and the reason.
///
/// The browser stores both sealed, in one cookie per case; the address of the page only has the case's random id. The
/// case opens in the same session and organization, for ``lifetime``.
struct PersonCase {
    /// The part of the records that is shown; each was recorded as such a look.
    enum Kind: String {
        case timeline
        /// The looks at the person.
        case looks

        var what: AccessedRecords {
            switch self {
            case .timeline: .timeline
            case .looks: .accesses
            }
        }
    }

    static let lifetime = Duration.minutes(15)
    /// The most open cases in one browser; if there are more, the oldest is closed.
    static let maximumCount = 4
    /// The most bytes of all their cookies: a browser sends them with every request, and proxies refuse long headers. A
    /// cookie with the longest recipient and reason has about 3 KB.
    static let maximumSize = 6 << 10
    private static let idLength = 32
    /// A character that occurs in neither a recipient nor a reason.
    private static let separator: Character = "\u{0}"
    private static let nameless = "nameless"

    let id: String
    let kind: Kind
    let recipient: RecipientID
    let reason: AccessReason
    /// The look whose entry names the person; `nil` if nothing was held about them then. The entry no longer names them
    /// once they are erased.
    let look: AccessID?

    /// Records the look, and then opens a case.
    /// - Returns: the cookies of the case.
    static func open(
        _ kind: Kind, of recipient: RecipientID, because reason: AccessReason, _ accesses: PersonAccess,
        _ call: ConsoleCall
    ) async throws -> (PersonCase, cookies: [(HTTPField.Name, String)]) {
        let entry = try await accesses.record(
            who: call.account.accessor, reason: reason, recipient: recipient, what: kind.what,
            organization: call.requiredOrganization.id)
        let id = Hexadecimal.encode(SecureRandom().newBytes(idLength / 2))
        let opened = PersonCase(
            id: id, kind: kind, recipient: recipient, reason: reason, look: entry.namingID)
        let cookie = try opened.cookie(call)
        let closed = closed(of: openCookies(call), forOneOf: length(of: cookie.name, cookie.value))
        return (opened, closed.map { call.cookie(.ended($0)) } + [call.cookie(cookie)])
    }

    /// The case in the path.
    /// - Throws: ``ConsoleRefusal/caseClosed``
    static func opened(_ kind: Kind, _ call: ConsoleCall) throws -> PersonCase {
        guard let id = call.context.parameters.get("case"), id.utf8.count == idLength,
            let sealed = call.cookies[call.cookieNames.casePrefix + id],
            let text = call.tools.sealed.open(
                sealed, for: use(kind, id, try call.requiredOrganization.id), holder: call.holder, at: call.now),
            let opened = PersonCase(id, kind, text)
        else { throw ConsoleRefusal.caseClosed }
        return opened
    }

    /// Records a further look at the person, for the same reason.
    @discardableResult
    func record(_ what: AccessedRecords, _ accesses: PersonAccess, _ call: ConsoleCall) async throws -> AccessEntry {
        try await accesses.record(
            who: call.account.accessor, reason: reason, recipient: recipient, what: what,
            organization: call.requiredOrganization.id)
    }

    /// Records a further look at the person before the data is read, for the same reason.
    func look(_ what: AccessedRecords, _ accesses: PersonAccess, _ call: ConsoleCall) async throws -> RecordedAccess {
        try await accesses.look(
            who: call.account.accessor, reason: reason, recipient: recipient, what: what,
            organization: call.requiredOrganization.id)
    }

    /// Records the look once more if its entry does not name the person and something about them was found: the new
    /// entry names them. Must be called after the records are read and before they are shown: then a recipient who was
    /// erased and comes back in between is shown only after a look was recorded.
    /// - Parameters:
    ///   - isSomethingHeld: whether anything about the person was found.
    ///   - entry: the entry of a further look that was just recorded.
    /// - Returns: the new cookie of the case.
    func recordAgain(
        if isSomethingHeld: Bool, after entry: AccessEntry? = nil, _ accesses: PersonAccess, _ call: ConsoleCall
    ) async throws -> [(HTTPField.Name, String)] {
        guard isSomethingHeld else { return [] }
        if let look, try await accesses.namesRecipient(look, organization: call.requiredOrganization.id) { return [] }
        var entry = entry
        if entry?.recipient == nil { entry = try await record(kind.what, accesses, call) }
        let opened = PersonCase(
            id: id, kind: kind, recipient: recipient, reason: reason, look: entry?.namingID)
        return [call.cookie(try opened.cookie(call))]
    }

    func closing(_ call: ConsoleCall) -> (HTTPField.Name, String) {
        call.cookie(.ended(call.cookieNames.casePrefix + id))
    }

    private static func use(_ kind: Kind, _ id: String, _ organization: OrganizationID) -> String {
        "case \(kind.rawValue) \(id) \(organization)"
    }
}

// MARK: - Cookies

extension PersonCase {
    /// The text to seal.
    var text: String {
        [recipient.text, reason.text, look?.description ?? Self.nameless].joined(separator: String(Self.separator))
    }

    /// - Returns: `nil` if ``text`` cannot have written it.
    init?(_ id: String, _ kind: Kind, _ text: String) {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count == 3, let recipient = try? RecipientID(String(parts[0])),
            let reason = try? AccessReason(String(parts[1]))
        else { return nil }
        let look = try? AccessID(String(parts[2]))
        guard look != nil || parts[2] == Self.nameless else { return nil }
        self.init(id: id, kind: kind, recipient: recipient, reason: reason, look: look)
    }

    private func cookie(_ call: ConsoleCall) throws -> Cookie {
        let sealed = try call.tools.sealed.seal(
            text, for: Self.use(kind, id, try call.requiredOrganization.id), holder: call.holder,
            until: call.now.advanced(by: Self.lifetime))
        return Cookie(
            name: call.cookieNames.casePrefix + id, value: sealed, maxAge: Int(Self.lifetime.components.seconds),
            path: "/", secure: true, httpOnly: true, sameSite: .lax)
    }

    /// The cookies of cases that must be closed to open one more: the oldest, while there are too many or they are too
    /// long.
    /// - Parameters:
    ///   - open: the open ones, oldest first.
    ///   - length: the length of the new cookie, in bytes.
    static func closed(of open: [OpenCookie], forOneOf length: Int) -> [String] {
        var kept = open[...]
        while !kept.isEmpty, kept.count >= maximumCount || kept.reduce(length, { $0 + $1.length }) > maximumSize {
            kept.removeFirst()
        }
        return open.dropLast(kept.count).map(\.name)
    }

    struct OpenCookie {
        let name: String
        /// The length in bytes, as the browser sends it.
        let length: Int
    }

    /// As a browser sends it: `name=value; `.
    private static func length(of name: String, _ value: String) -> Int { name.utf8.count + value.utf8.count + 3 }

    /// In the order in which the browser got them (RFC 6265, 5.4).
    private static func openCookies(_ call: ConsoleCall) -> [OpenCookie] {
        let prefix = call.cookieNames.casePrefix
        return call.request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            let name = pair.prefix { $0 != "=" }
            let isCase = name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + idLength
            return isCase ? OpenCookie(name: String(name), length: pair.utf8.count + 2) : nil
        }
    }
}

extension AccessEntry {
    /// `nil` if it names no recipient.
    fileprivate var namingID: AccessID? { recipient == nil ? nil : id }
}

extension SecureRandom {
    fileprivate func newBytes(_ count: Int) -> [UInt8] {
        var generator = self
        return generator.bytes(count)
    }
}
