import Synchronization

/// Whether a file of the storage can be written, for readiness.
package enum StorageStatus: Hashable, Sendable {
    case working
    /// The last write found the disk full. The next that succeeds makes it ``working`` again.
    case full
    /// Nothing is written until a restart.
    case failed(SQLiteFault)
}

/// Remembers that a file failed, so that nothing is ever acknowledged after it.
final class StorageHealth: Sendable {
    /// Guards the status: once failed it stays so.
    private let guarded = Mutex(StorageStatus.working)

    var status: StorageStatus { guarded.withLock { $0 } }

    /// - Throws: ``StorageError/failed(_:)`` once the file has failed.
    func requireWorking() throws(StorageError) {
        if case .failed(let fault) = status { throw .failed(fault) }
    }

    /// Takes note of what went wrong.
    /// - Returns: the error to tell whoever asked.
    func note(_ error: any Error) -> any Error {
        let error = StorageError.translating(error)
        switch error as? StorageError {
        case .failed(let fault): set(.failed(fault))
        case .full: set(.full)
        default: break
        }
        return error
    }

    func noteCommit() { set(.working) }

    private func set(_ status: StorageStatus) {
        guarded.withLock { current in
            if case .failed = current { return }
            current = status
        }
    }
}
