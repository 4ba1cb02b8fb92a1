/// A storage, or a part of one, that is copied into the folder of a backup while it is in use.
package protocol BackupSource: Sendable {
    /// How often the files were rid of what was erased since they were opened. It grows after an erasure was committed
    /// and before its call returns: a copy that was begun at another count may hold an erased recipient.
    var erasures: Int { get }

    /// Copies what there is at one moment into `folder`. What was acknowledged before the call is in the copy. On disk
    /// on return.
    ///
    /// - Parameter mayGoOn: is asked every few megabytes, on another thread; what it throws ends the copying.
    /// - Throws: a ``StoreFailure``, or what `mayGoOn` throws. What is then in the folder is no copy.
    func copy(into folder: String, mayGoOn: @escaping @Sendable () throws -> Void) async throws
}
