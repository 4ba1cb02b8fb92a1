import GRDB
import GRDBSQLite
import Glibc
import LocalFiles
import SQL
import SystemPackage

/// Copies a file as of one moment, while other connections continue to write to it.
///
/// A read-only connection reads the pages in one snapshot. Until it ends, the write-ahead log cannot be reset, so it
/// grows with every write.
struct DatabaseCopy {
    /// Between two steps it asks whether to continue.
    private static let pagesPerStep: CInt = 1024
    /// The copy is synced to the disk in parts, because one sync at the end would delay the commits of the service.
    private static let stepsPerSync = 4
    /// The page cache of the copy, which is all the memory that it takes.
    private static let cacheKibibytes = 4096

    /// The path of the copy. No file with this name may exist.
    let path: String
    /// Tables whose rows are not in the copy, nor any byte of them.
    let emptied: [String]

    /// Copies the snapshot of `source`. The copy is on disk on return.
    ///
    /// - Parameter mayGoOn: is called before each step; if it throws, the copy ends with that error.
    /// - Throws: `FailedCopy` if the copy cannot be written or read, or another error. The file at ``path`` is then not
    ///   a valid copy.
    func make(of source: Database, checkCancellation: () throws -> Void) throws {
        // A snapshot begins with the first read and not with the transaction.
        _ = try source.statement("SELECT count(*) FROM sqlite_schema").first { $0.integer(0) }
        try ofCopy { try PrivateFile.create(at: path) }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw FailedCopy(path: path, StorageError.ofLastCall) }
        defer { close(descriptor) }
        let target = try ofCopy { try DatabaseQueue(path: path, configuration: Self.configuration) }
        defer { try? target.close() }
        try target.writeWithoutTransaction { target in
            try copyPages(of: source, to: target) { step in
                try checkCancellation()
                if step.isMultiple(of: Self.stepsPerSync) { try sync(descriptor) }
            }
            try ofCopy { try Self.empty(emptied, of: target) }
        }
        try ofCopy { try target.close() }
        try sync(descriptor)
    }

    /// Runs `body`, which concerns only the copy, so that its errors are not taken for those of the source.
    private func ofCopy<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw FailedCopy(path: path, StorageError.translating(error)) }
    }

    /// No connection reads the copy before it is complete, so it needs no journal; but it needs ``sync(_:)``.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "storage.copy"
        configuration.prepareDatabase { db in
            for pragma in ["journal_mode = OFF", "synchronous = OFF", "cache_size = -\(cacheKibibytes)"] {
                try db.execute(sql: "PRAGMA \(pragma)")
            }
        }
        return configuration
    }

    private func copyPages(
        of source: Database, to target: Database, before step: (Int) throws -> Void
    ) throws {
        guard let backup = sqlite3_backup_init(target.sqliteConnection, "main", source.sqliteConnection, "main") else {
            let code = sqlite3_extended_errcode(target.sqliteConnection)
            throw FailedCopy(path: path, StorageError(resultCode: code))
        }
        var steps = 0
        var result = SQLITE_OK
        do {
            while result == SQLITE_OK {
                try step(steps)
                result = sqlite3_backup_step(backup, Self.pagesPerStep)
                steps += 1
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        sqlite3_backup_finish(backup)
        guard result != SQLITE_DONE else { return }
        let error = StorageError(resultCode: result)
        if Self.isOfWrite(result) { throw FailedCopy(path: path, error) }
        throw error
    }

    /// Whether a result code is of a write. Only the copy is written.
    private static func isOfWrite(_ code: CInt) -> Bool {
        let writes = [SQLITE_FULL, SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 6 << 8]
        return writes.contains(code)
    }

    /// Deletes all rows of the tables. The copy has the journal mode of its source by now, so the rows are gone from the
    /// file when its log has been copied into it.
    private static func empty(_ tables: [String], of target: Database) throws {
        guard !tables.isEmpty else { return }
        try target.execute(sql: "PRAGMA secure_delete = ON")
        for table in tables { try target.execute(sql: "DELETE FROM \(table)") }
        try target.checkpoint(.truncate)
    }

    private func sync(_ descriptor: CInt) throws(FailedCopy) {
        guard fsync(descriptor) == 0 else { throw FailedCopy(path: path, reason: "\(Errno.last)") }
    }
}

extension DatabaseFile {
    /// Copies the file as of one moment, while it is in use. The copy is on disk on return.
    ///
    /// An error of the copy says nothing about this file, so it does not change the file's health.
    /// - Parameters:
    ///   - emptied: tables whose rows are not in the copy.
    ///   - mayGoOn: is called every few megabytes, on another thread; if it throws, the copy ends with that error.
    package func copy(
        to path: String, emptying emptied: [String] = [], checkCancellation: @escaping @Sendable () throws -> Void
    ) async throws {
        do {
            try await readers.read(.long(owner: 0)) { db in
                try DatabaseCopy(path: path, emptied: emptied).make(of: db, checkCancellation: checkCancellation)
            }
        } catch {
            throw StorageError.translating(error)
        }
    }
}
