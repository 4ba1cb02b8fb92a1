import StoragePorts

/// Copies the spool and the storage into a backup while the service uses them.
struct DatabaseBackup: Sendable {
    /// A recipient was erased while the copies were made, and the copies would still contain them.
    struct ErasedMeanwhile: Error {}

    let spool: any BackupSource
    /// `nil` if the database is not in the data folder: then the server has backups of its own.
    let storage: (any BackupSource)?

    /// The spool is copied first: clicks that are drained meanwhile are then in the copy of the storage, and a click in
    /// both has the same id and is stored once. So the copies contain everything that was acknowledged before the call.
    /// They contain no recipient who was erased before it returns. They are on disk on return.
    ///
    /// - Parameter mayGoOn: called every few megabytes, on other threads; an error that it throws ends the copying.
    /// - Returns: a check that throws ``ErasedMeanwhile`` if a recipient in the copies was erased since.
    /// - Throws: ``ErasedMeanwhile``, a `StoreFailure` or what `checkCancellation` throws. The folder then contains no
    ///   usable copy.
    @discardableResult
    func copy(
        into folder: String, checkCancellation: @escaping @Sendable () throws -> Void
    ) async throws -> @Sendable () throws -> Void {
        let before = erasures
        let requireNobodyErased: @Sendable () throws -> Void = {
            guard erasures == before else { throw ErasedMeanwhile() }
        }
        let check: @Sendable () throws -> Void = {
            try checkCancellation()
            try requireNobodyErased()
        }
        try await spool.copy(into: folder, checkCancellation: check)
        try await storage?.copy(into: folder, checkCancellation: check)
        try check()
        return requireNobodyErased
    }

    /// Whether the copies include the main database.
    var includesDatabase: Bool { storage != nil }

    private var erasures: [Int] { [spool.erasures, storage?.erasures ?? 0] }
}
