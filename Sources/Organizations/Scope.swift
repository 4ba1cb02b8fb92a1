/// What a key may do in its organization.
package enum Scope: String, Hashable, Sendable, CaseIterable {
    /// Make and read messages, compose payloads.
    case compose
    /// Record and query consent.
    case consent
    /// Query consents, decisions, interactions, messages, reports, the ledger and its proofs.
    case read
    /// The organization's settings and keys, disabling messages, erasure.
    case manage
    /// Read reports, and nothing that names a recipient.
    case report
    /// Take what is next to be delivered to endpoints, and tell what became of it. Of a relay.
    case deliver
}

extension Set<Scope> {
    /// These scopes and those that they include: who may read everything may read reports.
    package var withIncluded: Set<Scope> { contains(.read) ? union([.report]) : self }
}
