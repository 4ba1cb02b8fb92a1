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
