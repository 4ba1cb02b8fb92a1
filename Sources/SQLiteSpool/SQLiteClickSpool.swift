import Cryptography
import GRDB
package import Identifiers
package import Interactions
import SQL
import SQLiteFiles
package import StoragePorts
import Synchronization

/// The spool in a file of its own.
///
/// One append is one row, one commit and one sync. Removed batches are deleted together with the next append, so that
/// deleting needs no sync of its own.
package final class SQLiteClickSpool: ClickSpool {
    /// One reader for the drain, one for a backup. Both read each page once.
    private static let limits = DatabaseFile.Limits(
        checkpointPages: 1000, readers: 2, cacheKibibytes: 2 * 1024, readerCacheKibibytes: 256)
    /// Deleting more at a time would delay a click.
    private static let batchesDeletedAtOnce: Int64 = 500
    /// The greatest number of batches that stay in the file when all are drained and no append deletes them.
    private static let batchesLeftWhenIdle: Int64 = 500

    private static let following =
        "SELECT position, content FROM batches WHERE position > ? AND position <= ? ORDER BY position"

    package static let fileName = "spool.db"

    /// How many occurrences a former process left in the file; somewhat too many if names of actions are among them.
    package let leftover: Int
    /// How many occurrences a former process set aside, in the same way.
    package let leftParked: Int
    let file: DatabaseFile
    private let wasFresh: (@Sendable (Timestamp) -> Bool)?
    private let isTimed: @Sendable () -> Bool
    private let unjudgedCount = Atomic<UInt64>(0)
    private let clock: @Sendable () -> Timestamp
    /// The last appended batch. A batch behind it was forged, and would make the reader skip all later ones.
    private let appendedThrough: Atomic<Int64>
    /// Batches up to here are removed, whether or not they are deleted yet.
    private let removedThrough = Atomic<Int64>(0)
    /// Batches that were damaged when they were read.
    private let unreadable = Mutex<Set<Int64>>([])
    /// Held during a commit. Appending, removing and erasing residuals run one at a time; setting aside is rare.
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var sequence: TimeOrderedSequence
        var random = BufferedRandom()
        /// The last appended batch.
        var last: SpoolPosition
        var batchesInFile: Int64
        /// Batches up to here are deleted.
        var deletedThrough: Int64 = 0
        /// Reused for each batch.
        var buffer: [UInt8] = []

        /// Must be called after a commit has deleted `count` of the batches up to `position`.
        mutating func noteDeleted(_ count: Int64, through position: Int64) {
            batchesInFile -= count
            if count < SQLiteClickSpool.batchesDeletedAtOnce { deletedThrough = max(deletedThrough, position) }
        }
    }

    /// Opens the file of a folder, and makes it if there is none. The folder must exist. Only one process at a time may
    /// have the file open. Blocks the thread.
    /// - Parameters:
    ///   - slot: the slot of the node, for the ids of its clicks.
    ///   - drained: the greatest id in the store, so that no id is used twice.
    ///   - wasFresh: whether the node knew every withdrawal at a time; `nil` for a node that always does.
    ///   - isTimed: whether the node knows the time of the storage, for occurrences while it is not fresh.
    ///   - clock: gives the present time, or an earlier one while that is not known, for the ids.
    package init(
        folder: String, slot: NodeSlot, drained: InteractionID?, wasFresh: (@Sendable (Timestamp) -> Bool)? = nil,
        isTimed: @escaping @Sendable () -> Bool = { true }, clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.clock = clock
        self.wasFresh = wasFresh
        self.isTimed = isTimed
        file = try DatabaseFile(path: "\(folder)/\(Self.fileName)", schema: .spool, limits: Self.limits)
        let (count, last, size, sizeOfParked) = try file.writer.read { db in
            // A position that no node makes was forged, and must not use up the numbers.
            try db.statement(
                """
                SELECT count(*), max(position) FILTER (WHERE position BETWEEN 0 AND ?1), sum(length(content) - 1), (
                    SELECT max(position) FROM parked WHERE position BETWEEN 0 AND ?1
                ), (SELECT sum(length(content) - 1) FROM parked)
                FROM batches
                """
            ).first(Int64(TimeOrderedNumber.endOfMade) - 1) { row in
                (
                    row.integer(0), max(row.optionalInteger(1) ?? 0, row.optionalInteger(3) ?? 0), row.integer(2),
                    row.integer(4)
                )
            } ?? (0, 0, 0, 0)
        }
        leftover = Int(size) / OccurrenceBatch.fixedLength
        leftParked = Int(sizeOfParked) / OccurrenceBatch.fixedLength
        appendedThrough = Atomic(last)
        let greatest = max(UInt64(last), drained?.rawValue ?? 0)
        state = Mutex(
            State(
                sequence: TimeOrderedSequence(slot: slot, after: TimeOrderedNumber(rawValue: greatest)),
                last: SpoolPosition(rawValue: last),
                batchesInFile: count
            )
        )
        try PrivateFile.syncFolder(folder)
    }

    /// The time of the last batch that is or was in the file; the distant past if there was none. A clock for the spool
    /// must not show an earlier time.
    package var latestTime: Timestamp {
        state.withLock { state in
            TimeOrderedNumber(rawValue: UInt64(bitPattern: state.last.rawValue))?.timestamp ?? .distantPast
        }
    }

    package var status: StorageStatus { file.health.status }

    /// Refuses every write until a restart.
    /// - Parameter reason: names no path, statement or value.
    package func refuseWrites(because reason: String) { file.health.setFailed(reason) }

    /// Makes the log's files stay when the spool is closed; see ``DatabaseFile/keepLog()``. Blocks the thread.
    package func keepLog() throws { try file.keepLog() }

    /// How many occurrences were appended since the opening while it was not certain that the node knew every
    /// withdrawal.
    package var unjudged: UInt64 { unjudgedCount.load(ordering: .relaxed) }

    package func append(_ occurrences: [Occurrence]) throws -> SpoolPosition {
        try state.withLock { state in
            guard !occurrences.isEmpty else { return state.last }
            let certainty = certainty(of: occurrences)
            let last = Self.encode(occurrences, certainty, at: clock(), &state)
            let removed = removedThrough.load(ordering: .relaxed)
            var deleted: Int64 = 0
            try transaction { db in
                // For most appends, nothing was removed since the last one.
                if removed > state.deletedThrough { deleted = try delete(through: removed, db) }
                try db.statement("INSERT INTO batches (position, content) VALUES (?, ?)")
                    .run(last.rawValue, state.buffer)
            }
            state.noteDeleted(deleted, through: removed)
            state.batchesInFile += 1
            state.last = last
            appendedThrough.store(last.rawValue, ordering: .releasing)
            if certainty != .judged { unjudgedCount.add(UInt64(occurrences.count), ordering: .relaxed) }
            return last
        }
    }

    package func read(after position: SpoolPosition, limit: Int) throws -> SpoolReading {
        let start = max(position.rawValue, removedThrough.load(ordering: .acquiring))
        let end = appendedThrough.load(ordering: .acquiring)
        return try reading { db in
            var (last, unreadableCount) = (start, 0)
            guard limit > 0 else { return SpoolReading(occurrences: [], position: position) }
            var occurrences: [SpooledOccurrence] = []
            // An array that grows takes up to twice the space. The last batch may go beyond the limit.
            occurrences.reserveCapacity(min(limit, 30_000) + 2_000)
            try db.statement(Self.following).forEach(start, end) { row in
                last = row.integer(0)
                do {
                    try OccurrenceBatch.decode(row.bytes(1), appendingTo: &occurrences)
                } catch {
                    unreadableCount += unreadable.withLock { $0.insert(last).inserted ? 1 : 0 }
                }
                return occurrences.count < limit
            }
            return SpoolReading(
                occurrences: occurrences, position: SpoolPosition(rawValue: last), unreadableCount: unreadableCount)
        }
    }

    package func remove(through position: SpoolPosition) throws {
        try state.withLock { state in
            removedThrough.max(min(position, state.last).rawValue, ordering: .releasing)
            guard position >= state.last, state.batchesInFile > Self.batchesLeftWhenIdle else { return }
            try deleteAllRemoved(&state)
        }
    }

    /// - Throws: ``StorageError/busy`` if a reader used an older state for seconds. The caller must repeat it.
    package func eraseResiduals() throws {
        try state.withLock { state in
            try deleteAllRemoved(&state)
            if status == .full { try writeNothing() }
            file.erasures.add()
            // Each attempt waits for readers for the connection's busy timeout.
            for _ in 0..<20 {
                if try file.writer.writeWithoutTransaction(file.truncateLog) { return }
            }
            throw StorageError.busy
        }
    }

    package func probe() throws { try state.withLock { _ in try writeNothing() } }

    /// Deletes all removed batches, and closes the file. The caller must not use the spool after that.
    package func close() throws {
        try state.withLock { state in
            do {
                if case .working = status { try deleteAllRemoved(&state) }
            } catch StorageError.full {
                // Batches that stay are drained again after the next start, and are stored once.
            }
            try file.close()
        }
    }
}

extension SQLiteClickSpool {
    private func certainty(of occurrences: [Occurrence]) -> SpooledOccurrence.Certainty {
        guard let wasFresh, !occurrences.allSatisfy({ wasFresh($0.occurredAt) }) else { return .judged }
        return isTimed() ? .unjudged : .untimed
    }

    /// Encodes a batch into the buffer.
    /// - Returns: the greatest id of the batch, which is its position.
    private static func encode(
        _ occurrences: [Occurrence], _ certainty: SpooledOccurrence.Certainty, at now: Timestamp,
        _ state: inout State
    ) -> SpoolPosition {
        var last: UInt64 = 0
        OccurrenceBatch.encode(occurrences, certainty, into: &state.buffer) {
            let id = InteractionID(state.sequence.next(at: now, using: &state.random))
            last = id.rawValue
            return id
        }
        return SpoolPosition(rawValue: Int64(last))
    }

    /// Writes without a change: a full disk may have space again although nothing was removed.
    private func writeNothing() throws {
        try transaction { db in
            let version = try db.statement("PRAGMA user_version").first { $0.integer(0) } ?? 0
            try db.statement("PRAGMA user_version = \(version)").run()
        }
    }

    private func deleteAllRemoved(_ state: inout State) throws {
        let removed = removedThrough.load(ordering: .relaxed)
        while removed > state.deletedThrough {
            var deleted: Int64 = 0
            try transaction { db in deleted = try delete(through: removed, db) }
            state.noteDeleted(deleted, through: removed)
        }
    }

    /// - Returns: the number of deleted batches: all, unless there are many.
    private func delete(through position: Int64, _ db: Database) throws -> Int64 {
        for damaged in unreadable.withLock({ $0.filter { $0 <= position } }) {
            try db.statement(
                "INSERT OR IGNORE INTO unreadable SELECT position, content FROM batches WHERE position = ?"
            ).run(damaged)
        }
        try db.statement(
            """
            DELETE FROM batches WHERE position IN (
                SELECT position FROM batches WHERE position <= ? ORDER BY position LIMIT ?
            )
            """
        ).run(position, Self.batchesDeletedAtOnce)
        return Int64(db.changesCount)
    }

    /// Runs `body` on a connection that reads.
    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try file.readers.readNow(body)
        } catch {
            throw file.health.recordFailure(StorageError.translating(error))
        }
    }

    /// Runs `body` in a transaction that no other commit overlaps.
    func exclusively(_ body: (Database) throws -> Void) throws {
        try state.withLock { _ in try transaction(body) }
    }

    private func transaction(_ body: (Database) throws -> Void) throws {
        try file.health.requireWorking()
        try file.writer.writeWithoutTransaction { db in
            try file.transaction(db) { try body(db) }
            file.health.setWorking()
            file.checkpointIfLong(db)
        }
    }
}

extension SQLiteClickSpool: BackupSource {
    package var erasures: Int { file.erasures.count }

    package func copy(into folder: String, checkCancellation: @escaping @Sendable () throws -> Void) async throws {
        try await file.copy(to: "\(folder)/\(Self.fileName)", checkCancellation: checkCancellation)
    }
}
