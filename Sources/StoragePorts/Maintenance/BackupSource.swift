/// A storage, or a part of one, that can be copied into the folder of a backup while it is in use.
package protocol BackupSource: Sendable {
    /// How often the files were cleared of erased data since they were opened. It grows after an erasure was committed
    /// and before its call returns: a copy that was begun at another count may contain an erased recipient.
    var erasures: Int { get }

    /// Copies the state of one moment into `folder`. The copy has everything that was acknowledged before the call. It
    /// is on disk on return.
    ///
    /// - Parameter checkCancellation: is called every few megabytes, on another thread; if it throws, the copy ends
    ///   with that error.
    /// - Throws: a ``StoreFailure``, or the error of `checkCancellation`. The folder then has no valid copy.
    func copy(into folder: String, checkCancellation: @escaping @Sendable () throws -> Void) async throws
}
