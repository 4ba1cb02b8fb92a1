/// A permission of a key in its organization.
package enum Scope: String, Hashable, Sendable, CaseIterable {
    /// Make and read messages, compose payloads.
    case compose
    /// Record and query consent.
    case consent
    /// Query consents, decisions, interactions, messages, reports, the ledger and its proofs.
    case read
    /// Change the organization's settings and keys, disable messages, erase recipients.
    case manage
    /// Read reports, but nothing that names a recipient.
    case report
    /// Take the next deliveries to endpoints and report their results. For relays.
    case deliver
}

extension Set<Scope> {
    /// These scopes and those that they include: a key that may read everything may read reports.
    package var withIncluded: Set<Scope> { contains(.read) ? union([.report]) : self }
}
