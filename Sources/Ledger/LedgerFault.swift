/// A row of the storage that an entry is about, or should be: its kind and its id, which says nothing of a recipient.
package struct LedgerRowName: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
        case decision
        case consent = "consent record"
        case event
        case access
    }

    package let kind: Kind
    /// As it is stored, which is no valid id when the row was forged.
    package let number: Int64

    package init(_ kind: Kind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    /// The id as the API writes it.
    package var description: String {
        kind == .event ? "event \(number)" : "\(kind.rawValue) \(String(UInt64(bitPattern: number), radix: 16))"
    }
}

/// What is wrong with a row. A finding names the first of them.
package enum LedgerRowFault: Hashable, Sendable, CustomStringConvertible {
    /// A value that no version of the service writes.
    case unreadable
    /// It is attributed to another organization than the entry is.
    case foreign
    /// It stands in no entry of the ledger.
    case withoutEntry
    /// Its recipient, message or purpose is not one of this organization, or is gone.
    case unrelated
    /// Its recipient was erased, or is kept no longer, and still it names one.
    case named
    /// `ends_tracking` does not follow from the state.
    case endsTracking
    /// The volume, by which a recipient's decisions are found, is not one that was written.
    case volume
    /// The recipient was tracked without having been asked, and is not on the list of those.
    case unlisted
    /// The recipient was judged as erased, gave nothing since, and is not marked as erased.
    case unmarked

    /// An index, by which it is found, lacks it, or has it otherwise than the table.
    case index

    package var description: String {
        switch self {
        case .unreadable: "has a value that cannot be read"
        case .foreign: "is attributed to another organization"
        case .withoutEntry: "stands in no entry of the ledger"
        case .unrelated: "has a recipient, message or purpose that is not the organization's"
        case .named: "names somebody although its recipient was erased or is kept no longer"
        case .endsTracking: "has an ends_tracking that does not follow from its state"
        case .volume: "stands in a volume that it was not written to"
        case .unlisted: "tracked a recipient who is missing in tracked_unasked"
        case .index: "is not the same in its table and in an index of the database"
        case .unmarked: "was made about an erased recipient who gave nothing since and is not marked as erased"
        }
    }
}

/// What decisions are derived from besides single rows.
package enum LedgerDerivation: Hashable, Sendable {
    /// The enforcement of the organization, or its history, is not the one that was entered.
    case enforcement
    /// A setting of the organization cannot be read.
    case settings
    /// The runs, which say which row is which entry, have a gap or an overlap at this entry.
    case runs(UInt64)
    /// More or fewer consent records are without a recipient than erasures were entered for.
    case erasures(found: Int64, entered: Int64)
    /// More decisions or accesses name nobody than erasures and retention were entered for.
    case closings(LedgerRowName.Kind, found: Int64, entered: Int64)
    /// The content, the purpose, the links or the counts of a message; its id in hexadecimal.
    case message(String, LedgerMessageFault)
    /// The register does not lead from a recipient's identifier to their row; the number of the row.
    case recipient(Int64)
    /// The recipient of this row is marked as erased, which does not follow from what was recorded.
    case marked(Int64)
    /// A row of the register belongs to no recipient and is not marked as erased. It is one of a person whom an erasure
    /// entry is about; of which organization's, it does not say.
    case register

    func description(of organization: some CustomStringConvertible) -> String {
        switch self {
        case .enforcement: "the enforcement of \(organization) is not that of its last enforcement entry"
        case .settings: "a setting of \(organization) cannot be read"
        case .runs(let entry): "the runs of \(organization) do not lead to entry \(entry)"
        case .erasures(let found, let entered):
            "\(found) consent records of \(organization) name nobody, its erasure entries account for \(entered)"
        case .closings(let kind, let found, let entered):
            "\(found) \(kind == .access ? "accesses" : "\(kind.rawValue)s") of \(organization) name nobody, its entries account "
                + "for \(entered)"
        case .message(let id, let fault): "message \(id) of \(organization) \(fault.rawValue)"
        case .recipient(let row):
            "row \(row) of the recipients of \(organization) is not the one that their identifier leads to"
        case .marked(let row):
            "row \(row) of the recipients of \(organization) is marked as erased, although what was recorded and decided "
                + "about it since says otherwise"
        case .register:
            "the register of \(organization), or of another organization that erased somebody, has a row without a "
                + "recipient that is not marked as erased"
        }
    }
}

package enum LedgerMessageFault: String, Hashable, Sendable {
    case unreadable = "has a value that cannot be read"
    case content = "does not have the content that it was stored with"
    case links = "has added links that were not stored one after the other"
    case listing = "is listed under another name or other tags than it has"
    case tracking = "has decisions that its tracking setting rules out"
    case counts = "has counts that are not those of its decisions"
}
