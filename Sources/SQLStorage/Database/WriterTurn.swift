import Cryptography
import Organizations
import SQL

/// The turns of processes that write to one database.
///
/// Each transaction first locks one row, and holds it until its commit. So transactions of all nodes are one after the
/// other, as those of one process are: a number that grows with each commit, the frontier of a ledger and the order of
/// the feed need no other lock. The row says who was the last; what a process has in memory holds as long as that was
/// itself.
struct WriterTurn {
    private let instance: [UInt8]
    /// As the row is when nobody else wrote; `nil` before the first turn.
    private var generation: Int64?
    /// Whether what is in memory may not be as the rows are although nobody else wrote.
    private var isDoubtful = false
    /// Where the feed of rules ends.
    var feedHead: RuleCursor?

    /// What others wrote since this process did.
    struct Others {
        /// The greatest number that anybody made; `nil` when nobody has noted one.
        let latest: UInt64?
        /// Whether another process wrote since this one did. Otherwise this one does not write yet, or does not know what
        /// became of its last transaction.
        let areThere: Bool
    }

    init() {
        var random = SecureRandom()
        instance = random.bytes(16)
    }

    /// Waits for the turn.
    /// - Returns: `nil` when nobody else wrote since the last one.
    mutating func begin(_ db: any SQLConnection) throws -> Others? {
        let row = try db.statement(
            "SELECT instance, generation, latest, feed_position, feed_mark FROM writer FOR UPDATE"
        ).first { row in
            (
                isOwn: row.isNull(0) ? false : row.bytes(0) == instance, generation: row.integer(1),
                latest: UInt64(bitPattern: row.integer(2)),
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
        return isLast ? nil : Others(latest: row.latest == 0 ? nil : row.latest, areThere: areThere)
    }

    /// At the next turn nothing in memory is relied on.
    mutating func doubt() { isDoubtful = true }

    /// As the last statement before the commit.
    /// - Parameter latest: the greatest number that this process knows of.
    mutating func end(latest: UInt64, _ db: any SQLConnection) throws {
        guard let known = generation, let head = feedHead else { throw StorageError.unreadable }
        try db.statement(
            """
            UPDATE writer SET instance = ?, generation = ?, latest = greatest(latest, ?), feed_position = ?, feed_mark = ?
            """
        ).run(
            instance, known + 1, Int64(bitPattern: latest), Int64(bitPattern: head.position),
            Int64(bitPattern: head.mark))
        generation = known + 1
    }
}
