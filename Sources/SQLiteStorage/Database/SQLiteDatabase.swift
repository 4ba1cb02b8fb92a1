import GRDB
import Identifiers
import Organizations
import SQLiteFiles

/// The main file, which all stores share.
///
/// Reads run beside each other and beside the writer, each in a snapshot. Writes are committed in groups, one after the
/// other. Both happen on threads of their own; a caller is suspended, never blocked.
final class SQLiteDatabase: Sendable {
    /// One of the readers is for a backup, which takes long.
    private static let limits = DatabaseFile.Limits(checkpointPages: 16_000, readers: 5, cacheKibibytes: 12 * 1024)

    let file: DatabaseFile
    private let commits: GroupCommit

    /// - Parameters:
    ///   - participant: is told of every commit and of all that is undone.
    ///   - clock: tells the time of what is written; must never go back.
    init(
        path: String, participant: sending any TransactionParticipant,
        clock: @escaping @Sendable () -> Timestamp
    ) throws {
        file = try DatabaseFile(path: path, schema: .main, limits: Self.limits)
        commits = try GroupCommit(file, participant: participant, clock: clock)
    }

    var status: StorageStatus { file.health.status }

    /// Runs `body` in a snapshot.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await file.readers.read(body)
        } catch {
            throw file.health.note(error)
        }
    }

    /// Runs `body` in a transaction that it may share with others.
    ///
    /// What it did is durable on return. When it throws, nothing of it was written.
    /// - Parameter isAlone: whether the write gets a transaction of its own. A write that shares one has a savepoint,
    ///   and SQLite then keeps in memory a copy of every page that changes. A small write of the service's own must not
    ///   cause that for an import, which changes ten thousand pages.
    /// - Parameter afterCommit: is called after the commit and before any caller learns of it, in the order of the
    ///   commits, on the writer's queue; must be quick and must not come back here.
    func write<Value: Sendable>(
        isAlone: Bool = false,
        _ body: @escaping @Sendable (WriteContext) throws -> Value,
        afterCommit: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            commits.submit(
                PendingWrite(
                    isAlone: isAlone, body: body, afterCommit: afterCommit, continuation: continuation))
        }
    }

    /// Runs `body` between two transactions, for what lives on the writer's queue and in no file.
    func betweenCommits<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        try await commits.betweenCommits(body)
    }

    /// Writes a page, as it is: shows whether the disk takes what is written.
    func probe() async throws {
        try await write(isAlone: true) { writing in
            let version = try writing.db.statement("PRAGMA user_version").first { $0.integer(0) } ?? 0
            try writing.db.statement("PRAGMA user_version = \(version)").run()
        }
        file.health.noteCommit()
    }

    /// Removes from every file what the tables no longer hold.
    /// - Throws: ``StorageError/busy`` when readers held on to older states for seconds. What was written before stays
    ///   written; ask again.
    func eraseResiduals() async throws {
        file.erasures.note()
        for _ in 0..<Self.erasureAttempts {
            let isDone = try await file.writer.writeWithoutTransaction { [file] db in try file.truncateLog(db) }
            if isDone { return }
            try await Task.sleep(for: Self.erasurePause)
        }
        throw StorageError.busy
    }

    private static let erasureAttempts = 40
    private static let erasurePause = Duration.milliseconds(100)

    /// For use while the service starts: blocks the thread.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try file.readers.read(body)
        } catch {
            throw file.health.note(error)
        }
    }

    /// For use while the service starts: blocks the thread, and writes a long log back.
    func writeNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            let value = try file.writer.write(body)
            file.writer.writeWithoutTransaction(file.checkpointIfLong)
            return value
        } catch {
            throw file.health.note(error)
        }
    }

    func close() throws { try file.close() }
}
