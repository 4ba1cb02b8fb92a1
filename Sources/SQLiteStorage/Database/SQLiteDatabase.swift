import GRDB
import Identifiers
import SQL
import SQLStorage
import SQLiteFiles
import StoragePorts

/// The main file, which all stores share.
final class SQLiteDatabase: SQLDatabase {
    /// One of the readers is for a backup, which takes long. Look-ups of many rows come in the order of an index, so a
    /// larger cache saves a reader nothing: it holds pages that are not read again before the next commit.
    private static let limits = DatabaseFile.Limits(
        checkpointPages: 16_000, readers: 5, cacheKibibytes: 12 * 1024, readerCacheKibibytes: 1024)

    let file: DatabaseFile
    let commits: GroupCommit
    private let knownPurposes = KnownNames()

    /// - Parameters:
    ///   - participant: is informed of every commit and of everything that is undone.
    ///   - rules: is informed of every change of the rules.
    ///   - clock: gives the time of what is written; must never go back.
    init(
        path: String, participant: any TransactionParticipant, rules: any RuleChangeLog, isReadOnly: Bool = false,
        clock: @escaping @Sendable () -> Timestamp
    ) throws {
        file = try DatabaseFile(path: path, schema: .main, limits: Self.limits)
        commits = try GroupCommit(
            SQLiteWriter(file, knownPurposes), participant: participant, rules: rules, isReadOnly: isReadOnly,
            clock: clock)
    }

    var status: StorageStatus { commits.isReadOnly ? .readOnly : file.health.status }

    func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await file.readers.read(length) { [knownPurposes] db in
                try body(SQLiteFileConnection(db, knownPurposes: knownPurposes))
            }
        } catch {
            throw file.health.recordFailure(StorageError.translating(error))
        }
    }

    /// Writes a page without changing it.
    func probe() async throws {
        try await file.writer.writeWithoutTransaction { [file] db in
            do {
                try db.inTransaction(.immediate) {
                    let version = try db.statement("PRAGMA user_version").first { $0.integer(0) } ?? 0
                    try db.statement("PRAGMA user_version = \(version)").run()
                    return .commit
                }
            } catch {
                throw file.health.recordFailure(StorageError.translating(error))
            }
        }
        file.health.setWorking()
    }

    /// Removes all bytes of deleted values from every file.
    func eraseResiduals() async throws {
        file.erasures.add()
        for _ in 0..<Self.erasureAttempts {
            do {
                return try await tryToEraseResiduals()
            } catch StorageError.busy {
                try await Task.sleep(for: Self.erasurePause)
            }
        }
        throw StorageError.busy
    }

    /// Does not end a backup that is being made: the erasure itself ended those that had begun before it.
    func tryToEraseResiduals() async throws {
        let isDone = try await file.writer.writeWithoutTransaction { [file] db in try file.truncateLog(db) }
        if !isDone { throw StorageError.busy }
    }

    private static let erasureAttempts = 40
    private static let erasurePause = Duration.milliseconds(100)

    /// For use while the service starts: blocks the thread, and writes a long log back.
    func writeNow<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        do {
            let value = try file.writer.write { db in
                try body(SQLiteFileConnection(db, knownPurposes: knownPurposes))
            }
            file.writer.writeWithoutTransaction(file.checkpointIfLong)
            return value
        } catch {
            throw file.health.recordFailure(StorageError.translating(error))
        }
    }

    func close() throws { try file.close() }
}
