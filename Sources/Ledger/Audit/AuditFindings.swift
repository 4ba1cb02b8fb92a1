/// The verified content of an export.
package struct AuditFindings: Equatable, Sendable {
    package let checkpoint: Checkpoint
    package let filters: AuditFilters
    package let counts: AuditCounts
    package let tiles: Int
    package let interactions: UInt64
    /// RFC 3339; it is only the export's own claim.
    package let exportedAt: String
    /// `nil` for a filtered export, which lacks entries that its decisions follow from.
    package let recomputation: Recomputation?
    /// The size of the auditor's earlier checkpoint, which the ledger was proved to continue.
    package let since: UInt64?
}

/// The verified content of a proof.
package struct ProofFindings: Equatable, Sendable {
    package let checkpoint: Checkpoint
    package let index: UInt64
    /// Canonical JSON.
    package let entry: [UInt8]
    /// Canonical JSON; `nil` if they are not known any more, or if there are none.
    package let fields: [UInt8]?
}
