/// A storage whose disk may be full or fail. May be called at once from anywhere.
package protocol StorageMaintenance: Sendable {
    /// What the last write found. Does not block and asks no disk.
    var status: StorageStatus { get }

    /// Tries whether a storage that is ``StorageStatus/full`` or ``StorageStatus/unreachable`` can be written again, and
    /// does nothing at any other status: a service that is not ready may be asked for nothing, so no other write would
    /// find out.
    func retryIfFull() async
}

/// Whether a storage, or a part of one, can be written, for readiness.
package enum StorageStatus: Hashable, Sendable {
    case working
    /// The last write found the disk full. The next that succeeds makes it ``working`` again.
    case full
    /// There was no answer when it was asked last. The next answer makes it ``working`` again.
    case unreachable
    /// Everything is written, and a crash may lose it: the server was told so since the start.
    case unsafe(StorageDanger)
    /// Nothing is written until an operator has mended what this says. The next write that succeeds makes it ``working``
    /// again.
    case unusable(String)
    /// Nothing is written while the storage is moved to another one.
    case readOnly
    /// Nothing is written until a restart. Says what failed; names no path, statement or value.
    case failed(String)
}

/// Why a crash may lose what a storage has acknowledged.
package enum StorageDanger: Hashable, Sendable, CustomStringConvertible {
    /// Says which setting of the server, what it is and what it must be.
    case setting(String)
    /// Another reason, as a sentence.
    case other(String)

    package var description: String {
        switch self {
        case .setting(let setting): "\(setting): a crash would lose what was acknowledged"
        case .other(let reason): reason
        }
    }
}
