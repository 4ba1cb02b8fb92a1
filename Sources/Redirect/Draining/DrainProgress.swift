import Interactions
import Waiting

/// How far the spool is drained, and which callers wait for that.
final class DrainProgress: Sendable {
    private struct State {
        var position = DrainProgress.beginning
        var hasEnded = false
    }

    /// Before the start: what was set aside is not judged yet.
    private static let beginning = SpoolPosition(rawValue: SpoolPosition.start.rawValue - 1)

    /// Raised when a caller begins to wait.
    let requests = WakeUpSignal()
    /// Answers whether everything up to a position is drained.
    private let state = Condition(State()) { (state: State, position: SpoolPosition) in
        if position <= state.position { true } else if state.hasEnded { false } else { nil }
    }

    /// Everything up to here is drained.
    var position: SpoolPosition { state.state.position }
    var isAwaited: Bool { state.waitCount > 0 }

    func advance(to position: SpoolPosition) { state.change { $0.position = position } }

    /// The drain has ended: all callers stop waiting, and later ones do not wait.
    func end() { state.change { $0.hasEnded = true } }

    /// Waits until everything up to `position` is drained.
    /// - Returns: whether it is drained; `false` if the time is over, the task is cancelled or the drain has ended.
    @discardableResult
    func wait(for position: SpoolPosition, atMost limit: Duration) async -> Bool {
        await state.wait(for: position, atMost: limit) { requests.raise() } ?? false
    }
}
