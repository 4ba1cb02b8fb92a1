package import GRDB
import GRDBSQLite
import Glibc
package import SQL

/// One SQLite file: the only connection that writes and checkpoints, and the connections that read at the same time.
///
/// SQLite before 3.51.3 can damage a file when one connection checkpoints while another writes. Here the same
/// connection does both, and all others are opened read-only.
package final class DatabaseFile: Sendable {
    package struct Limits: Sendable {
        /// By how many pages the write-ahead log may grow before it is written back.
        var checkpointPages: Int
        var readers: Int
        /// The page cache of the writer, which commits leave as it is.
        var cacheKibibytes: Int
        /// The page cache of each reader. A commit makes its pages useless, and an idle reader keeps them.
        var readerCacheKibibytes: Int

        /// - Parameter readerCacheKibibytes: by default half of the writer's.
        package init(checkpointPages: Int, readers: Int, cacheKibibytes: Int, readerCacheKibibytes: Int? = nil) {
            self.checkpointPages = checkpointPages
            self.readers = readers
            self.cacheKibibytes = cacheKibibytes
            self.readerCacheKibibytes = readerCacheKibibytes ?? cacheKibibytes / 2
        }

        /// The size to which the log's file is truncated: twice what is written back at once, so that a log of normal
        /// size keeps its space on the disk and is never truncated.
        var logBytes: Int { 2 * checkpointPages * 4096 }
    }

    /// Readers can keep a log from being reset. When the log is this many times too long, the writer waits for them.
    private static let busyAttempts = 8

    package let writer: DatabaseQueue
    package let readers: ReaderPool
    package let health = StorageHealth()
    package let erasures = ErasureEpoch()
    private let log = LogMeter()
    private let limits: Limits

    /// Opens the file, makes it if there is none, and migrates it to the newest version of `schema`. Blocks the thread.
    /// - Throws: ``StorageError``, also for a file of another program or of a later version.
    package init(path: String, schema: Schema, limits: Limits) throws {
        self.limits = limits
        try PrivateFile.create(at: path)
        do {
            writer = try Self.openWriter(path, limits, log)
            try writer.writeWithoutTransaction(schema.migrate)
            readers = Self.readers(path, limits)
            // Opens one reader, so that a setting that cannot be applied is found before the first request.
            try readers.readNow { _ in }
            writer.writeWithoutTransaction(writeBack)
        } catch {
            throw StorageError.translating(error)
        }
    }

    /// Writes the log back when the file is opened, and empties it.
    ///
    /// An earlier process may have failed to sync the end of the log. The end is then only in the system's memory,
    /// which treats it as written (fsync(2)): commits behind it would be lost with it if the power fails. Writing it
    /// back writes it to the file again. After a change of the schema, the log may also be as long as the file.
    ///
    /// If the disk fails meanwhile, the file can be read, and refuses writes.
    private func writeBack(_ db: Database) { _ = try? truncateLog(db) }

    /// Writes the log back if it is long. Must be called on the writer's queue, outside a transaction.
    package func checkpointIfLong(_ db: Database) {
        guard log.growth >= limits.checkpointPages else { return }
        let isTooLong = log.pages >= limits.checkpointPages * Self.busyAttempts
        do {
            try db.checkpoint(isTooLong ? .restart : .passive)
        } catch {
            // Readers that prevent it do no harm; an I/O error does.
            _ = health.recordFailure(StorageError.translating(error))
        }
        log.noteCheckpoint()
    }

    /// Writes the log back and truncates it, so that the database file alone has everything.
    /// - Returns: whether no reader prevented it.
    package func truncateLog(_ db: Database) throws -> Bool {
        do {
            try db.checkpoint(.truncate)
            log.noteCheckpoint()
            return true
        } catch {
            let error = health.recordFailure(StorageError.translating(error))
            guard error as? StorageError == .busy else { throw error }
            return false
        }
    }

    /// Runs `body` in a transaction and commits it. Durable on return. If it throws, nothing of it was written. Must be
    /// called on the writer's queue.
    package func transaction(_ db: Database, _ body: () throws -> Void) throws {
        do {
            try db.statement("BEGIN IMMEDIATE").run()
            try body()
            try db.statement("COMMIT").run()
        } catch {
            let error = health.recordFailure(StorageError.translating(error))
            rollBack(db)
            throw error
        }
    }

    /// Rolls back the transaction. Must be called on the writer's queue.
    package func rollBack(_ db: Database) {
        guard db.isInsideTransaction else { return }
        do {
            try db.statement("ROLLBACK").run()
        } catch {
            // Otherwise, the next commit would make a write durable that was answered with an error.
            _ = health.recordFailure(StorageError.failed(EngineFault(sqlite: SQLITE_ERROR)))
        }
    }

    /// Makes both files of the log stay, empty, when the file is closed, because a start on a full disk has no space to
    /// make them. They stay in any case if they existed when the file was opened. Blocks the thread.
    package func keepLog() throws { try writer.writeWithoutTransaction(Self.keepLog) }

    private static func keepLog(_ db: Database) throws {
        var isKept: CInt = 1
        let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        guard code == SQLITE_OK else { throw StorageError(resultCode: code) }
    }

    /// Closes the readers first, because the last connection to close writes the log back, and that must be the writer.
    package func close() throws {
        do {
            try readers.close()
            try writer.close()
        } catch {
            throw StorageError.translating(error)
        }
    }

    private static func openWriter(_ path: String, _ limits: Limits, _ log: LogMeter) throws -> DatabaseQueue {
        SQLiteLibrary.prepare()
        var configuration = Configuration()
        configuration.label = "storage.writer"
        let settings = ConnectionSettings.writer(
            cacheKibibytes: limits.cacheKibibytes, logBytes: limits.logBytes)
        let hasLog = access(DatabasePaths.logIndex(of: path), F_OK) == 0
        configuration.prepareDatabase { db in
            // If SQLite cannot open a file for writing, even for lack of descriptors, it opens the file only for
            // reading and reports no error. Every write would fail until a restart.
            guard sqlite3_db_readonly(db.sqliteConnection, "main") == 0 else {
                throw StorageError.cannotCreateFile(reason: "it cannot be opened for writing now")
            }
            if hasLog { try keepLog(db) }
            try settings.apply(to: db)
            try db.ignoreForeignCode()
            try db.addBoundRows()
            log.watch(db)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Read-only connections, which can never checkpoint.
    fileprivate static func readers(_ path: String, _ limits: Limits) -> ReaderPool {
        let settings = ConnectionSettings.reader(cacheKibibytes: limits.readerCacheKibibytes)
        return ReaderPool(count: limits.readers) {
            SQLiteLibrary.prepare()
            var configuration = Configuration()
            configuration.label = "storage.reader"
            configuration.readonly = true
            configuration.prepareDatabase { db in
                try settings.apply(to: db)
                try db.ignoreForeignCode()
            }
            return try DatabaseQueue(path: path, configuration: configuration)
        }
    }
}

/// A file that another process may have open and write to.
package final class ReadOnlyFile: Sendable {
    package let readers: ReaderPool

    /// Opens the file and reads from it once. Blocks the thread.
    /// - Throws: ``StorageError`` if it cannot be opened, or is not a database.
    package init(path: String) throws {
        readers = DatabaseFile.readers(
            path, DatabaseFile.Limits(checkpointPages: 0, readers: 2, cacheKibibytes: 64 * 1024))
        do {
            // Reads once, so that a file that is not a database is found now.
            try readers.readNow { db in _ = try db.statement("PRAGMA schema_version").first { $0.integer(0) } }
        } catch {
            throw StorageError.translating(error)
        }
    }
}
