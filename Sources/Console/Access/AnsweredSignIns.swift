import Identifiers
import Synchronization

/// The sign-ins through a provider that were answered: each counts once at this process, however often a browser brings the
/// answer. Another process refuses it for its code, which the provider takes once.
final class AnsweredSignIns: Sendable {
    /// As long as a sign-in that was begun counts, in milliseconds.
    private static let lifetime: Int64 = 600_000
    /// So many are remembered for a whole lifetime. Beyond it, the oldest are forgotten earlier.
    private static let mostRemembered = 10_000

    private struct States {
        var current: Set<String> = []
        var former: Set<String> = []
        var turnedAt = Timestamp.distantPast
    }

    /// Guards the states of the sign-ins of the last lifetime, and some older ones.
    private let states = Mutex(States())

    /// Whether `state` was not answered before. Notes it.
    func isFirst(_ state: String, at now: Timestamp) -> Bool {
        states.withLock { states in
            let isOver = now >= states.turnedAt.advanced(byMilliseconds: Self.lifetime)
            if isOver || states.current.count >= Self.mostRemembered {
                (states.former, states.current, states.turnedAt) = (states.current, [], now)
            }
            return !states.former.contains(state) && states.current.insert(state).inserted
        }
    }
}
