import Organizations

/// Copies the spool and the storage into a backup while they are in use.
struct DatabaseBackup: Sendable {
    /// A recipient was erased while the copies were made, and would have lived on in them.
    struct ErasedMeanwhile: Error {}

    let spool: any BackupSource
    /// `nil` where the database is not in the data folder: it has backups of its own.
    let storage: (any BackupSource)?

    /// The spool comes first: what was drained from it meanwhile is then in the copy of the storage, and what is in both
    /// has the same id and is stored once. So the copies hold everything that was acknowledged before the call. They
    /// hold no recipient who was erased before it returns. They are on disk on return.
    ///
    /// - Parameter mayGoOn: is asked every few megabytes, on other threads; what it throws ends the copying.
    /// - Returns: what throws ``ErasedMeanwhile`` once the copies hold a recipient who was erased since.
    /// - Throws: ``ErasedMeanwhile``, a `StoreFailure` or what `mayGoOn` throws. What is then in the folder is no copy.
    @discardableResult
    func copy(
        into folder: String, mayGoOn: @escaping @Sendable () throws -> Void
    ) async throws -> @Sendable () throws -> Void {
        let before = erasures
        let requireNobodyErased: @Sendable () throws -> Void = {
            guard erasures == before else { throw ErasedMeanwhile() }
        }
        let check: @Sendable () throws -> Void = {
            try mayGoOn()
            try requireNobodyErased()
        }
        try await spool.copy(into: folder, mayGoOn: check)
        try await storage?.copy(into: folder, mayGoOn: check)
        try check()
        return requireNobodyErased
    }

    /// Whether the copies hold the main database.
    var includesDatabase: Bool { storage != nil }

    private var erasures: [Int] { [spool.erasures, storage?.erasures ?? 0] }
}
