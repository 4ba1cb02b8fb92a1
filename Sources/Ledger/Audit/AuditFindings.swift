/// What was found to hold of an export.
package struct AuditFindings: Equatable, Sendable {
    package let checkpoint: Checkpoint
    package let filters: AuditFilters
    package let counts: AuditCounts
    package let tiles: Int
    package let interactions: UInt64
    /// RFC 3339; the export says so itself.
    package let exportedAt: String
    /// `nil` for a filtered export, which has not what its decisions follow from.
    package let recomputation: Recomputation?
    /// How many entries the auditor's earlier checkpoint had, of which the ledger was shown to be a continuation.
    package let since: UInt64?
}

/// What was found to hold of a proof.
package struct ProofFindings: Equatable, Sendable {
    package let checkpoint: Checkpoint
    package let index: UInt64
    /// Canonical JSON.
    package let entry: [UInt8]
    /// Canonical JSON; `nil` where they are not known any more, or there are none.
    package let fields: [UInt8]?
}
