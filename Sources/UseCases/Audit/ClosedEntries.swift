import Ledger

/// How many entries of an export have no private fields although none of its erasures and purges accounts for them.
///
/// A whole export, or one about a recipient, has such entries if another node erases the recipient while it is made: an
/// entry that is read after that has lost its private fields, and the erasure that accounts for it is behind the
/// export's checkpoint. It also has them if private fields were taken away in the database, which a verifier must see.
struct ClosedEntries {
    private var decisions = 0
    private var consents = 0
    private var accesses = 0

    /// Whether more entries are closed than the added events account for.
    var haveNoAccount: Bool { decisions > 0 || consents > 0 || accesses > 0 }

    /// - Parameter item: as the export has it.
    mutating func add(_ item: LedgerItem) {
        switch item.subject {
        case .event: account(by: item)
        case .decision where item.opening == nil: decisions += 1
        case .consent where item.opening == nil: consents += 1
        case .access where item.opening == nil: accesses += 1
        case .decision, .consent, .access: break
        }
    }

    /// Lets an event account for entries. Any other entry accounts for nothing.
    mutating func account(by item: LedgerItem) {
        guard item.subject == .event, let event = StoredEvent(item.entry) else { return }
        // The stored bytes may have been changed. A number that no event has is no account.
        decisions -= Int(event.count(.decisions, as: UInt32.self) ?? 0)
        consents -= Int(event.count(.consents, as: UInt32.self) ?? 0)
        accesses -= Int(event.count(.accesses, as: UInt32.self) ?? 0)
    }
}
