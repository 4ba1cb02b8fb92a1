import GRDB

/// Why a copy was not finished although nothing failed.
package enum CopyInterruption: Error {
    /// Somebody was forgotten while the copy was made, and would have lived on in it.
    case somebodyWasForgotten
}

extension SQLiteStorage {
    /// Copies both files into a folder while they are in use.
    ///
    /// The spool comes first: what was drained from it meanwhile is then in the main file's copy, and what is in both
    /// has the same id and is stored once. So the copies hold everything that was acknowledged before the call. They
    /// hold nobody who was forgotten before it returns. They are on disk on return.
    ///
    /// - Parameter mayGoOn: is asked every few megabytes, on other threads; what it throws ends the copying.
    /// - Throws: ``CopyInterruption``, ``StorageError`` or what `mayGoOn` throws. The folder then holds no copy.
    package func copy(into folder: String, mayGoOn: @escaping @Sendable () throws -> Void) async throws {
        let before = erasureEpoch.count
        let check: @Sendable () throws -> Void = { [erasureEpoch] in
            try mayGoOn()
            guard erasureEpoch.count == before else { throw CopyInterruption.somebodyWasForgotten }
        }
        try await spool.copy(to: "\(folder)/\(Self.spoolFileName)", mayGoOn: check)
        try await database.copy(to: "\(folder)/\(Self.mainFileName)", mayGoOn: check)
        try check()
    }
}

extension DatabaseFile {
    /// An error of the copy says nothing of this file, so it is not held against its health.
    func copy(to path: String, mayGoOn: @escaping @Sendable () throws -> Void) async throws {
        do {
            try await readers.read { db in try DatabaseCopy(path: path).make(of: db, mayGoOn: mayGoOn) }
        } catch {
            throw StorageError.translating(error)
        }
    }
}
