package import StoragePorts
import Synchronization

/// Remembers that a database failed, so that nothing is acknowledged after that.
package final class StorageHealth: Sendable {
    private enum State {
        case working
        case full
        case unreachable
        case unusable(String)
        case failed(EngineFault)
    }

    /// Guards the state. A failed state is permanent.
    private let guarded = Mutex(State.working)

    package init() {}

    package var status: StorageStatus {
        switch guarded.withLock({ $0 }) {
        case .working: .working
        case .full: .full
        case .unreachable: .unreachable
        case .unusable(let why): .unusable(why)
        case .failed(let fault): .failed(fault.description)
        }
    }

    /// - Throws: ``StorageError/failed(_:)`` if the database has failed.
    package func requireWorking() throws(StorageError) {
        if case .failed(let fault) = guarded.withLock({ $0 }) { throw .failed(fault) }
    }

    /// Notes an error.
    /// - Parameter error: the storage's own error.
    /// - Returns: the same error.
    package func recordFailure(_ error: any Error) -> any Error {
        switch error as? StorageError {
        case .failed(let fault): set(.failed(fault))
        case .full: set(.full)
        default: break
        }
        return error
    }

    /// Notes that the files are not those that the next start will find. Every write is refused until a restart.
    /// - Parameter reason: names no path, statement or value.
    package func setFailed(_ reason: String) { set(.failed(EngineFault(code: "data folder", text: reason))) }

    package func setWorking() { set(.working) }

    /// Notes that the server did not answer.
    package func setUnreachable() { set(.unreachable) }

    /// Notes that the server must not be written to until it is repaired.
    /// - Parameter why: names no path, statement or value.
    package func setUnusable(because why: String) { set(.unusable(why)) }

    /// Notes that the server answered. Its disk may still be full.
    package func recordAnswer() {
        guarded.withLock { current in
            if case .unreachable = current { current = .working }
        }
    }

    private func set(_ state: State) {
        guarded.withLock { current in
            if case .failed = current { return }
            current = state
        }
    }
}
