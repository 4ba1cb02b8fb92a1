import Identifiers
import Synchronization

/// The periods in which a node was fresh since its process began, by its own clock.
///
/// Freshness ends by the monotonic clock, and the node's clock may run at half pace (`ServiceTime`). So a period ends
/// here after half of the time that is left, and only the node that is still fresh goes beyond that.
final class FreshPeriods: Sendable {
    /// Older periods are removed; the clicks that were spooled in them have long been stored.
    private static let capacity = 1024

    private let periods = Mutex<[(start: Timestamp, end: Timestamp)]>([])

    /// Adds a period: the node is fresh from `now` on for the time that is `left`.
    /// - Parameter isLonger: whether it was fresh until now.
    func add(from now: Timestamp, left: Duration, isLonger: Bool) {
        let end = now.advanced(by: left / 2)
        periods.withLock { periods in
            if let last = periods.last, isLonger || last.end >= now {
                periods[periods.count - 1].end = max(last.end, end)
            } else if end > now {
                if periods.count == Self.capacity { periods.removeFirst(Self.capacity / 2) }
                periods.append((now, end))
            }
        }
    }

    /// Whether the node was certainly fresh at `time`, which is not later than now.
    /// - Parameter isFresh: whether it is fresh. Must be read before the call.
    func contain(_ time: Timestamp, isFresh: Bool) -> Bool {
        periods.withLock { periods in
            guard let index = periods.lastIndex(where: { $0.start <= time }) else { return false }
            return time < periods[index].end || isFresh && index == periods.count - 1
        }
    }
}
