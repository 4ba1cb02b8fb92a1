import Identifiers
import Synchronization

/// The periods in which a node was fresh since its process began, by its own clock.
final class FreshPeriods: Sendable {
    /// Older periods are removed; the clicks that were spooled in them have long been stored.
    private static let capacity = 1024

    private let periods = Mutex<[(start: Timestamp, end: Timestamp)]>([])

    /// Adds a period: the node is fresh from `now` until `end`.
    func add(from now: Timestamp, until end: Timestamp) {
        periods.withLock { periods in
            if let last = periods.last, last.end >= now {
                periods[periods.count - 1].end = max(last.end, end)
            } else if end > now {
                if periods.count == Self.capacity { periods.removeFirst(Self.capacity / 2) }
                periods.append((now, end))
            }
        }
    }

    func contain(_ time: Timestamp) -> Bool {
        periods.withLock { periods in
            for period in periods.reversed() where period.start <= time { return time < period.end }
            return false
        }
    }
}
