/// The names of the console's cookies in a browser.
///
/// A cookie belongs to all ports of its host (RFC 6265, 8.5), and two services may have their consoles on one host, such
/// as the loopback. So the names have the port by which the browser reaches the console: otherwise a sign-in at one
/// service would end the session at the other. It is the port and not an id of the data folder, because nodes behind one
/// address share their sessions.
struct ConsoleCookieNames: Sendable {
    /// The language is the same for all consoles of a host.
    static let language = "__Host-language"

    let session: String
    /// Of the token that the forms of a browser without a session are tied to.
    let holder: String
    /// Of a sign-in through an OpenID provider that was begun.
    let provider: String
    /// Followed by the id of a case.
    let casePrefix: String

    /// - Parameter authority: the request's `Host`. Without a port in it, the names have none.
    init(authority: String?) {
        let port = Self.port(in: authority ?? "").map { "-\($0)" } ?? ""
        session = "__Host-session\(port)"
        holder = "__Host-visitor\(port)"
        provider = "__Host-provider\(port)"
        casePrefix = "__Host-case\(port)-"
    }

    private static func port(in authority: String) -> UInt16? {
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        return UInt16(authority[authority.index(after: colon)...])
    }
}
