/// What a key may do in its organization.
package enum Scope: String, Hashable, Sendable, CaseIterable {
    /// Make and read messages, compose payloads.
    case compose
    /// Record and query consent.
    case consent
    /// Query consents, decisions, interactions, messages and reports.
    case read
    /// The organization's settings and keys, disabling messages, erasure.
    case manage
}
