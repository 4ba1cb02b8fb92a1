package import Identifiers

/// A ledger differs from its last checkpoint, or data that decisions are derived from differs from the ledger. Nothing
/// is entered into it or signed until an operator has repaired it; docs/checkpoints.md says how.
package struct LedgerInconsistency: Error, Hashable, Sendable, CustomStringConvertible {
    package let organization: OrganizationID
    package let finding: Finding

    package enum Finding: Hashable, Sendable {
        /// The checkpoint counts more entries than there are. The entries in this range are missing.
        case missing(ClosedRange<UInt64>)
        /// The entry was changed, its row is missing, or its hash was changed. All entries before it agree.
        case changed(UInt64)
        /// The hashes over the entries in this range were changed.
        case hashes(ClosedRange<UInt64>)
        /// Up to the first entry of this range, entries and hashes agree with each other; but the tree is not the
        /// signed one. One entry of the range was changed, or all of them were replaced together with their hashes.
        case anotherTree(ClosedRange<UInt64>)
        /// The checkpoint is not signed with this ledger's key, or is no checkpoint of this ledger.
        case checkpoint
        /// The service did not enter the entries in this range: when it ended, everything that it had entered was
        /// signed.
        case appended(ClosedRange<UInt64>)
        /// A row differs from its entry.
        case row(LedgerRowName, entry: UInt64?, LedgerRowFault)
        /// A finding about the organization as a whole.
        case derived(LedgerDerivation)
    }

    package init(_ organization: OrganizationID, _ finding: Finding) {
        self.organization = organization
        self.finding = finding
    }

    package var description: String {
        switch finding {
        case .missing(let entries):
            "entries \(entries.lowerBound) to \(entries.upperBound) of \(organization) are missing: "
                + "the last checkpoint has them, the database does not"
        case .changed(let entry):
            "entry \(entry) of \(organization) or its hash is not the one that was entered, or its row is gone"
        case .hashes(let entries):
            "the hashes of entries \(entries.lowerBound) to \(entries.upperBound) of \(organization) "
                + "are not those that were written"
        case .anotherTree(let entries):
            "one of the entries \(entries.lowerBound) to \(entries.upperBound) of \(organization) is not the one that "
                + "was entered or its row is gone, or all entries were exchanged: they do not agree with the last "
                + "checkpoint"
        case .checkpoint:
            "the last checkpoint of \(organization) is not signed with this ledger's key"
        case .appended(let entries):
            "entries \(entries.lowerBound) to \(entries.upperBound) of \(organization) were appended while no service ran: "
                + "the last one had signed everything when it ended"
        case .row(let row, let entry, let fault):
            "\(row)\(entry.map { " (entry \($0))" } ?? "") of \(organization) \(fault)"
        case .derived(let derivation): derivation.description(of: organization)
        }
    }
}
