import Identifiers
import Messages
import SQL

/// The indexes for links that are added to a message, inside a write: the free ones behind a given index, and behind
/// the greatest index those from the lowest on.
struct FreeLinkIndexes {
    private let message: MessageID
    /// The indexes that added links of the message may have.
    private let all: Range<Int>
    private let db: any SQLConnection
    /// Those that are given next.
    private var free: Range<Int>
    /// Those that were given, and may not be in the database yet.
    private var given: Set<Int> = []
    /// Whether there are none left.
    private(set) var isFull: Bool

    init(of message: StoredMessage, after last: LinkIndex, isFull: Bool = false, _ db: any SQLConnection) throws {
        (self.message, all, self.isFull, self.db) = (message.id, message.content.addedLinkIndexes, isFull, db)
        let end = try AddedLinkRow.next(after: last, of: message.id, db).map { Int($0.rawValue) } ?? all.upperBound
        let first = Int(last.rawValue) + 1
        free = first..<max(first, end)
    }

    /// - Returns: `nil` if the message has its greatest number of links.
    mutating func next() throws -> LinkIndex? {
        if free.isEmpty, !isFull {
            free = try gap()
            isFull = free.isEmpty
        }
        guard !isFull, let index = free.first else { return nil }
        free = index + 1..<free.upperBound
        given.insert(index)
        return LinkIndex(rawValue: UInt16(index))
    }

    /// The first free indexes behind ``free``; empty if there are none.
    private func gap() throws -> Range<Int> {
        let used = try AddedLinkRow.indexes(of: message, db).union(given)
        let rest = min(max(free.upperBound, all.lowerBound), all.upperBound)..<all.upperBound
        let isFree = { (index: Int) in !used.contains(index) }
        guard let first = rest.first(where: isFree) ?? all.first(where: isFree) else {
            return all.upperBound..<all.upperBound
        }
        return first..<(all[first...].first { used.contains($0) } ?? all.upperBound)
    }
}
