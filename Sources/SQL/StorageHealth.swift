package import Organizations
import Synchronization

/// Remembers that a database failed, so that nothing is ever acknowledged after it.
package final class StorageHealth: Sendable {
    private enum State {
        case working
        case full
        case unreachable
        case unusable(String)
        case failed(EngineFault)
    }

    /// Guards the state: once failed it stays so.
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

    /// - Throws: ``StorageError/failed(_:)`` once the database has failed.
    package func requireWorking() throws(StorageError) {
        if case .failed(let fault) = guarded.withLock({ $0 }) { throw .failed(fault) }
    }

    /// Takes note of what went wrong.
    /// - Parameter error: the storage's own.
    /// - Returns: the same.
    package func note(_ error: any Error) -> any Error {
        switch error as? StorageError {
        case .failed(let fault): set(.failed(fault))
        case .full: set(.full)
        default: break
        }
        return error
    }

    /// The files are not those that the next start finds. Every write is refused until a restart.
    /// - Parameter reason: names no path, statement or value.
    package func noteLoss(_ reason: String) { set(.failed(EngineFault(code: "data folder", text: reason))) }

    package func noteCommit() { set(.working) }

    /// There was no answer.
    package func noteUnreachable() { set(.unreachable) }

    /// The server must not be written to until it is mended.
    /// - Parameter why: names no path, statement or value.
    package func noteUnusable(because why: String) { set(.unusable(why)) }

    /// There was an answer. A disk may be full all the same.
    package func noteAnswer() {
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
