import Identifiers
import Synchronization

/// Until when a node knows every change of the rules that was acknowledged on any node, by the monotonic clock: the
/// service's may run at half pace.
///
/// Clicks read it, so it is one atomic number.
package final class KnownUntil: Sendable {
    /// In nanoseconds since `origin`.
    private let end: Atomic<Int64>
    private let origin = ContinuousClock.now
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter isShared: whether the service shares its storage with others, and learns of their changes. If not,
    ///   it knows every change for ever, and no clock is read.
    package init(
        isShared: Bool = false, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        end = Atomic(isShared ? .min : .max)
        self.now = now
    }

    /// Must be called after the changes were applied.
    package func extend(to end: ContinuousClock.Instant) { self.end.max(nanoseconds(end), ordering: .releasing) }

    var coversNow: Bool {
        let end = end.load(ordering: .acquiring)
        return end == .max || end != .min && nanoseconds(now()) < end
    }

    private func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 { (instant - origin).wholeNanoseconds }
}
