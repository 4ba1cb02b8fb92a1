/// A random value in a setting of a session.
///
/// A pooler that lends a session of the server to one client after another, for a transaction at a time, takes locks,
/// prepared statements and `LISTEN` away without an error. Such a session has the mark of another client, or none.
struct SessionMark: Hashable, Sendable {
    /// The expression for the mark that a session has; empty or NULL if it has none.
    static let reading = "pg_catalog.current_setting('consentlink.session', true)"

    /// Letters and digits.
    let text: String

    init() { text = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined() }

    /// The expression that sets it for as long as the session lives.
    var setting: String { "pg_catalog.set_config('consentlink.session', '\(text)', false)" }
}
