/// A row of the storage that has an entry or should have one: its kind and its id, which reveals nothing about a
/// recipient.
package struct LedgerRowName: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
        case decision
        case consent = "consent record"
        case event
        case access
    }

    package let kind: Kind
    /// The stored number, which is not a valid id if the row was forged.
    package let number: Int64

    package init(_ kind: Kind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    /// The id in the form of the API.
    package var description: String {
        kind == .event ? "event \(number)" : "\(kind.rawValue) \(String(UInt64(bitPattern: number), radix: 16))"
    }
}

/// A fault of a row. A finding names the first one.
package enum LedgerRowFault: Hashable, Sendable, CustomStringConvertible {
    /// A value that no version of the service writes.
    case unreadable
    /// The row belongs to another organization than its entry.
    case foreign
    /// The row has no entry in the ledger.
    case withoutEntry
    /// The row's recipient, message or purpose does not exist or belongs to another organization.
    case unrelated
    /// The row names a recipient although it must not: the recipient was erased, or retention has ended.
    case named
    /// `ends_tracking` does not follow from the state.
    case endsTracking
    /// The volume, by which a recipient's decisions are found, is not the one that was written.
    case volume
    /// The recipient was tracked without a consent record and is not on the list of such recipients.
    case unlisted
    /// The recipient was judged as erased, has given no consent since, and is not marked as erased.
    case unmarked

    /// An index lacks the row or has other values for it than the table.
    case index

    package var description: String {
        switch self {
        case .unreadable: "has a value that cannot be read"
        case .foreign: "is attributed to another organization"
        case .withoutEntry: "is in no entry of the ledger"
        case .unrelated: "has a recipient, message or purpose that is not the organization's"
        case .named: "names a recipient who was erased or whose retention ended"
        case .endsTracking: "has an ends_tracking that does not follow from its state"
        case .volume: "is in a volume that it was not written to"
        case .unlisted: "tracked a recipient who is missing in tracked_unasked"
        case .index: "is not the same in its table and in an index of the database"
        case .unmarked: "was made about an erased recipient who gave nothing since and is not marked as erased"
        }
    }
}

/// Data besides single rows that decisions are derived from.
package enum LedgerDerivation: Hashable, Sendable {
    /// The enforcement of the organization, or its history, differs from the entries.
    case enforcement
    /// A setting of the organization cannot be read.
    case settings
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

/// What is wrong with the stored rows of a message. The raw value follows the name of the message.
package enum LedgerMessageFault: String, Hashable, Sendable {
    case unreadable = "has a value that cannot be read"
    case content = "does not have the content that it was stored with"
    case links = "has added links that were not stored one after the other"
    case listing = "is listed under another name or other tags than it has"
    case tracking = "has decisions that its tracking setting rules out"
    case counts = "has counts that are not those of its decisions"
    case index = "is not the same in its table and in an index of the database"
}
