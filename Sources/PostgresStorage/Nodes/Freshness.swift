import Identifiers
import Synchronization

/// Until when this node can prove that it knows every change of the rules that was acknowledged on any node.
///
/// It is fresh for a second from the time at which it began to ask for changes, once the database has committed that it
/// asked. Clocks of different machines are never compared.
final class Freshness: Sendable {
    /// How long an answer is valid, from the beginning of the query.
    static let lifetime = Duration.seconds(1)

    /// In nanoseconds of the monotonic clock.
    private let end: Atomic<Int64>
    private let clock = ContinuousClock()
    private let origin: ContinuousClock.Instant

    /// Not fresh before ``confirm(from:)``.
    init() {
        origin = clock.now
        end = Atomic(.min)
    }

    var isFresh: Bool { nanoseconds(clock.now) < end.load(ordering: .acquiring) }

    /// Notes that the node knew every change that had been acknowledged at `instant`.
    func confirm(from instant: ContinuousClock.Instant) {
        end.max(nanoseconds(instant + Self.lifetime), ordering: .releasing)
    }

    /// The time since the node last knew every change; `nil` if it never did.
    var staleness: Duration? {
        let end = end.load(ordering: .acquiring)
        guard end != .min else { return nil }
        return max(.zero, .nanoseconds(nanoseconds(clock.now) - end) + Self.lifetime)
    }

    private func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 { (instant - origin).wholeNanoseconds }
}
