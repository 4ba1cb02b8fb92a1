package import Identifiers

/// A ledger is not what its last checkpoint says, or what decisions are derived from is not what it committed to.
/// Nothing is entered into it and nothing signed until an operator has seen to it; docs/operating.md says how.
package struct LedgerInconsistency: Error, Hashable, Sendable, CustomStringConvertible {
    package let organization: OrganizationID
    package let finding: Finding

    package enum Finding: Hashable, Sendable {
        /// The checkpoint names more entries than there are: those from the first to the last are missing.
        case missing(ClosedRange<UInt64>)
        /// The entry is not the one that was entered, its row is gone, or its hash was changed. Nothing before it
        /// disagrees.
        case changed(UInt64)
        /// The hashes over the entries from the first to the last are not those that were written.
        case hashes(ClosedRange<UInt64>)
        /// Up to the first of these, entries and hashes agree with each other; still the tree is not the one that was
        /// signed. One of these is not the one that was entered, or all were exchanged together with their hashes.
        case anotherTree(ClosedRange<UInt64>)
        /// The checkpoint is not signed with this ledger's key, or is no checkpoint of this ledger.
        case checkpoint
        /// The entries from the first to the last were not entered by the service: when it ended, everything that had been
        /// entered was signed.
        case appended(ClosedRange<UInt64>)
        /// A row says something that its entry does not.
        case row(LedgerRowName, entry: UInt64?, LedgerRowFault)
        /// Something that belongs to the organization as a whole.
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
