import Synchronization

/// Counts the erasures after which a file still contains deleted data. In memory only, because a start clears the files.
///
/// A clearing removes the data of all erasures before it.
final class UnclearedErasures: Sendable {
    private struct State {
        var noted: UInt64 = 0
        var cleared: UInt64 = 0
    }

    private let state = Mutex(State())

    var count: UInt64 { state.withLock { $0.noted - $0.cleared } }

    /// The erasures that a clearing has covered at its end if it begins now.
    var mark: UInt64 { state.withLock { $0.noted } }

    func add() { state.withLock { $0.noted += 1 } }

    func recordClearing(of mark: UInt64) { state.withLock { $0.cleared = max($0.cleared, mark) } }
}
