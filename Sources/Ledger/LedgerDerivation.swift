/// Data besides single rows that decisions are derived from.
package enum LedgerDerivation: Hashable, Sendable {
    /// The enforcement of the organization, or its history, differs from the entries.
    case enforcement
    /// A setting of the organization cannot be read.
    case settings
    /// The organization has no row in `ledgers`, although its ledger has begun.
    case ledger
    /// The name of the ledger is not one of this organization: checkpoints would be signed in the name of another one.
    case origin
    /// No node has entered the present state of the ledger: its seal is missing, or belongs to another state.
    case seal
    /// The runs, which map rows to entries, have a gap or an overlap at this entry.
    case runs(UInt64)
    /// The number of consent records without a recipient differs from the number that the entries about erasures state.
    case erasures(found: Int64, entered: Int64)
    /// More decisions or accesses have no recipient than the entries about erasures and retention account for.
    case closings(LedgerRowName.Kind, found: Int64, entered: Int64)
    /// The content, the purpose, the links or the counts of a message, which the hexadecimal id names.
    case message(String, LedgerMessageFault)
    /// A recipient's identifier does not lead to the recipient's row, by its hash. Has the number of the row.
    case recipient(Int64)
    /// The recipient in this row is marked as erased, and that does not follow from the records.
    case marked(Int64)
    /// A hash belongs to no recipient and is not marked as erased. It is of a recipient whom some organization has
    /// erased; it is not known which organization.
    case register
    /// A row of this table is missing in an index of it, or has other values there.
    case index(table: String)

    func description(of organization: some CustomStringConvertible) -> String {
        switch self {
        case .enforcement: "the enforcement of \(organization) is not that of its last enforcement entry"
        case .settings: "a setting of \(organization) cannot be read"
        case .ledger: "the ledger of \(organization) has entries and no row in the table of the ledgers"
        case .origin: "the ledger of \(organization) has the name of another ledger"
        case .seal:
            "the newest entries of \(organization), or the hashes at the edge of its tree, were written into the database "
                + "without a node"
        case .runs(let entry): "the runs of \(organization) do not lead to entry \(entry)"
        case .erasures(let found, let entered):
            "\(found) consent records of \(organization) name no recipient, its erasure entries account for \(entered)"
        case .closings(let kind, let found, let entered):
            "\(found) \(kind == .access ? "accesses" : "\(kind.rawValue)s") of \(organization) name no recipient, "
                + "its entries account for \(entered)"
        case .message(let id, let fault): "message \(id) of \(organization) \(fault.rawValue)"
        case .recipient(let row):
            "row \(row) of the recipients of \(organization) is not the one that their identifier leads to"
        case .marked(let row):
            "row \(row) of the recipients of \(organization) is marked as erased, although later records and "
                + "decisions say otherwise"
        case .register:
            "the register of \(organization), or of another organization that erased a recipient, has a row without a "
                + "recipient that is not marked as erased"
        case .index(let table):
            "a row of \(table) that \(organization) uses is not the same in its table and in an index of the database"
        }
    }
}
