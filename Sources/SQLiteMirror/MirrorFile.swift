import Dispatch
import Foundation
import GRDB
import SQL
import SQLiteFiles
import Synchronization

/// The file of the mirror. It is only a copy, so a file whose content cannot be used is emptied and made anew.
final class MirrorFile: Sendable {
    private static let limits = DatabaseFile.Limits(checkpointPages: 1000, readers: 4, cacheKibibytes: 8 * 1024)

    /// What the file says about itself when it is opened.
    struct Start {
        /// `nil` if the file never had all rules.
        let reach: MirrorTables.Reach?
        let peers: [String]
    }

    private let path: String
    private let queue = DispatchQueue(label: "consentlink.mirror")
    /// Guards which file is open, while a damaged one is exchanged.
    private let open: Mutex<DatabaseFile>

    private init(_ path: String, _ file: DatabaseFile) {
        self.path = path
        open = Mutex(file)
    }

    /// Opens the file, makes it if there is none, and makes it anew if its content cannot be used. Blocks the thread.
    ///
    /// - Throws: ``StorageError``. The file then stays as it is: while the database cannot be reached, nothing else tells
    ///   the node where links lead.
    static func opened(_ path: String) throws -> (MirrorFile, Start) {
        do {
            return try tried(path)
        } catch {
            let error = StorageError.translating(error)
            guard (error as? StorageError)?.isOfContent ?? false else { throw error }
            for file in [path] + DatabasePaths.logFiles(of: path) { try? FileManager.default.removeItem(atPath: file) }
            return try tried(path)
        }
    }

    private static func tried(_ path: String) throws -> (MirrorFile, Start) {
        let file = try DatabaseFile(path: path, schema: .mirror, limits: limits)
        let start = try file.writer.read { db in
            let tables = MirrorTables(db: db)
            return Start(reach: try tables.reach(), peers: try tables.peers())
        }
        return (MirrorFile(path, file), start)
    }

    /// Whether an error of this file means that it must be made anew. Otherwise, the next attempt may succeed.
    static func isDamage(_ error: any Error) -> Bool {
        (StorageError.translating(error) as? StorageError)?.spoilsCopy ?? false
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (MirrorTables) throws -> Value) async throws -> Value {
        try await open.withLock { $0 }.readers.read { db in try body(MirrorTables(db: db)) }
    }

    func write(_ body: @escaping @Sendable (MirrorTables) throws -> Void) async throws {
        let file = open.withLock { $0 }
        try await file.writer.writeWithoutTransaction { db in
            try file.transaction(db) { try body(MirrorTables(db: db)) }
            file.checkpointIfLong(db)
        }
    }

    /// Reads every page. A million messages and a million ended references take 0.2 s when the system has the file in
    /// memory.
    /// - Throws: an error for which ``isDamage(_:)`` is true if SQLite finds a fault.
    func check() async throws {
        let finding = try await read { tables in
            try tables.db.statement("PRAGMA quick_check(1)").first { $0.text(0) }
        }
        guard finding == "ok" else { throw StorageError.unreadable }
    }

    /// Replaces the content by empty tables. The file stays the one that the service watches. Must not be called while
    /// the file is written to; running reads end before, and later ones fail until it returns.
    func remake() async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.remakeNow() }) }
        }
    }

    private func remakeNow() throws {
        // A connection that stays open would write pages of the damaged file into the new one.
        try open.withLock { $0 }.close()
        try PrivateFile.empty(at: path)
        for file in DatabasePaths.logFiles(of: path) { try? FileManager.default.removeItem(atPath: file) }
        let made = try DatabaseFile(path: path, schema: .mirror, limits: Self.limits)
        open.withLock { $0 = made }
        try made.keepLog()
    }

    /// See ``DatabaseFile/keepLog()``. Blocks the thread.
    func keepLog() throws { try open.withLock { $0 }.keepLog() }

    /// Blocks the thread.
    func close() throws { try open.withLock { $0 }.close() }
}
