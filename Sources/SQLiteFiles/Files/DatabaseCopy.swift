import GRDB
import GRDBSQLite
import Glibc
import SQL

/// A copy of a file as it is at one moment, made while others go on writing to it.
///
/// The pages are read in one snapshot, by a connection that may only read. Until it ends the write-ahead log cannot be
/// cut, so it grows by what is written meanwhile.
struct DatabaseCopy {
    /// Between steps it asks whether to go on.
    private static let pagesPerStep: CInt = 1024
    /// The copy is synced to the disk bit by bit: one sync at the end would keep the commits of others waiting.
    private static let stepsPerSync = 4
    /// The whole of the copy's memory.
    private static let cacheKibibytes = 4096

    /// The name of the copy. No file of this name may be there.
    let path: String

    /// Copies what `source` sees. On return the copy is on disk.
    ///
    /// - Parameter mayGoOn: is asked before each step; what it throws ends the copy.
    /// - Throws: an error that leaves a file which is no copy.
    func make(of source: Database, mayGoOn: () throws -> Void) throws {
        // A snapshot begins with the first read, and not with the transaction.
        _ = try source.statement("SELECT count(*) FROM sqlite_schema").first { $0.integer(0) }
        try PrivateFile.create(at: path)
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError.cannotCreateFile }
        defer { close(descriptor) }
        let target = try DatabaseQueue(path: path, configuration: Self.configuration)
        defer { try? target.close() }
        try target.writeWithoutTransaction { target in
            try Self.copyPages(of: source, to: target) { step in
                try mayGoOn()
                if step.isMultiple(of: Self.stepsPerSync) { try Self.sync(descriptor) }
            }
        }
        try target.close()
        try Self.sync(descriptor)
    }

    /// Nothing reads the copy before it is whole, so it needs no journal of its own; what it needs is ``sync(_:)``.
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

    private static func copyPages(
        of source: Database, to target: Database, before step: (Int) throws -> Void
    ) throws {
        guard let backup = sqlite3_backup_init(target.sqliteConnection, "main", source.sqliteConnection, "main") else {
            throw StorageError(resultCode: sqlite3_extended_errcode(target.sqliteConnection))
        }
        var steps = 0
        var result = SQLITE_OK
        do {
            while result == SQLITE_OK {
                try step(steps)
                result = sqlite3_backup_step(backup, pagesPerStep)
                steps += 1
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE else { throw StorageError(resultCode: result) }
    }

    private static func sync(_ descriptor: CInt) throws(StorageError) {
        guard fsync(descriptor) == 0 else {
            throw errno == ENOSPC || errno == EDQUOT ? .full : .failed(EngineFault(sqlite: SQLITE_IOERR))
        }
    }
}

extension DatabaseFile {
    /// Copies the file as it is at one moment, while it is in use. The copy is on disk on return.
    ///
    /// An error of the copy says nothing about this file, so it does not count against the file's health.
    /// - Parameter mayGoOn: is asked every few megabytes, on another thread; what it throws ends the copying.
    package func copy(to path: String, mayGoOn: @escaping @Sendable () throws -> Void) async throws {
        do {
            try await readers.read(.long(owner: 0)) { db in
                try DatabaseCopy(path: path).make(of: db, mayGoOn: mayGoOn)
            }
        } catch {
            throw StorageError.translating(error)
        }
    }
}
