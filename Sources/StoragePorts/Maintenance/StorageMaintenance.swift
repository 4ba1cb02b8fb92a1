/// A storage whose disk may be full or fail. All calls may be concurrent.
package protocol StorageMaintenance: Sendable {
    /// The result of the last write. Does not block and does not use the disk.
    var status: StorageStatus { get }

    /// Tries to write to a storage that is ``StorageStatus/full`` or ``StorageStatus/unreachable``, and has no effect
    /// at any other status. Needed because a service that is not ready may get no requests, so that no other write
    /// would find out.
    func retryIfFull() async
}

/// Whether a storage, or a part of one, can be written to, for readiness.
package enum StorageStatus: Hashable, Sendable {
    case working
    /// The disk was full at the last write. The next write that succeeds makes it ``working`` again.
    case full
    /// There was no answer to the last query. The next answer makes it ``working`` again.
    case unreachable
    /// Writes succeed, but a crash may lose them: the server's settings were changed since the start.
    case unsafe(DurabilityRisk)
    /// Nothing is written until an operator has repaired the named problem. The next write that succeeds makes it
    /// ``working`` again.
    case unusable(String)
    /// Nothing is written while the storage is moved to another one.
    case readOnly
    /// Nothing is written until a restart. Says what failed; names no path, statement or value.
    case failed(String)
}

/// Why a crash may lose writes that a storage has acknowledged.
package enum DurabilityRisk: Hashable, Sendable, CustomStringConvertible {
    /// Names the setting of the server, its value and the required value.
    case setting(String)
    /// Another reason, as a sentence.
    case other(String)

    package var description: String {
        switch self {
        case .setting(let setting): "\(setting): a crash would lose acknowledged writes"
        case .other(let reason): reason
        }
    }
}
