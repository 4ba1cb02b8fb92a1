import Synchronization

/// Until when this node can show that it knows every change of the rules that was acknowledged anywhere.
///
/// It is fresh for a second from the moment at which it began to ask for changes, once the database has committed that it
/// asked. No clocks of two machines are compared.
final class Freshness: Sendable {
    /// How long an answer holds, from the beginning of the question.
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

    /// The node knew everything that had been acknowledged at `instant`.
    func confirm(from instant: ContinuousClock.Instant) {
        end.max(nanoseconds(instant + Self.lifetime), ordering: .releasing)
    }

    /// How long ago it was known to know everything; `nil` for never.
    var staleness: Duration? {
        let end = end.load(ordering: .acquiring)
        guard end != .min else { return nil }
        return max(.zero, .nanoseconds(nanoseconds(clock.now) - end) + Self.lifetime)
    }

    private func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (instant - origin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
