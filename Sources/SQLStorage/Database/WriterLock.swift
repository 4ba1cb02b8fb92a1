import Cryptography
package import Identifiers
package import SQL
import StoragePorts

/// The lock by which several processes write to one database one after another.
///
/// Each transaction first locks one row, and holds the lock until its commit. So the transactions of all nodes run one
/// after another, like those of one process: a number that grows with each commit, the frontier of a ledger and the
/// order of the feed need no other lock. The row names the last writer. If that was this process, its state in memory
/// is still valid.
package struct WriterLock {
    private let instance: [UInt8]
    /// The generation of the row if no other process has written; `nil` before the lock was acquired once.
    private(set) var generation: Int64?
    /// Whether the state in memory may differ from the rows although no other process wrote.
    private var isDoubtful = false
    /// The end of the feed of rules.
    var feedHead: RuleCursor?

    /// What other processes wrote since this one did.
    struct Others {
        /// The greatest number that any process made; `nil` if none was noted, or one that no process can have made.
        let latest: TimeOrderedNumber?
        /// Whether another process wrote since this one did. If not, this process has not written yet, or does not know
        /// whether its last transaction was committed.
        let areThere: Bool
    }

    init() {
        var random = SecureRandom()
        instance = random.bytes(16)
    }

    /// Waits for the lock, which the transaction then holds until its commit.
    /// - Returns: `nil` if no other process wrote since this one last held the lock.
    mutating func acquire(_ db: any SQLConnection) throws -> Others? {
        let row = try db.statement(
            "SELECT instance, generation, latest, feed_position, feed_mark FROM writer FOR UPDATE"
        ).first { row in
            (
                isOwn: row.isNull(0) ? false : row.bytes(0) == instance, generation: row.integer(1),
                latest: Self.made(row.integer(2)),
                head: RuleCursor(
                    position: UInt64(bitPattern: row.integer(3)), mark: UInt64(bitPattern: row.integer(4)))
            )
        }
        guard let row else { throw StorageError.unreadable }
        feedHead = row.head
        let isLast = row.isOwn && row.generation == generation && !isDoubtful
        let areThere = generation != nil && !row.isOwn
        generation = row.generation
        isDoubtful = false
        return isLast ? nil : Others(latest: row.latest, areThere: areThere)
    }

    /// A forged number is left out. Otherwise no number would be left, and every clock would move to its last possible
    /// time.
    private static func made(_ latest: Int64) -> TimeOrderedNumber? {
        TimeOrderedNumber(rawValue: UInt64(bitPattern: latest)).flatMap { $0.canBeMade ? $0 : nil }
    }

    /// The latest time at which any process wrote; `nil` if none was noted, or one that no process can have written.
    package static func latest(_ db: any SQLConnection) throws -> Timestamp? {
        let latest = try db.statement("SELECT latest FROM writer").first { made($0.integer(0)) }
        return (latest ?? nil)?.timestamp
    }

    /// Makes the next ``acquire(_:)`` treat the state in memory as unknown.
    mutating func invalidate() { isDoubtful = true }

    /// Must be the last statement before the commit.
    /// - Parameter latest: the greatest number that this process knows.
    mutating func end(latest: UInt64, _ db: any SQLConnection) throws {
        guard let known = generation, let head = feedHead else { throw StorageError.unreadable }
        try db.statement(
            """
            UPDATE writer SET instance = ?, generation = ?,
                latest = greatest(CASE WHEN latest < \(TimeOrderedNumber.endOfMade) THEN latest ELSE 0 END, ?),
                feed_position = ?, feed_mark = ?
            """
        ).run(
            instance, known &+ 1, Int64(bitPattern: latest), Int64(bitPattern: head.position),
            Int64(bitPattern: head.mark))
        generation = known &+ 1
    }
}
