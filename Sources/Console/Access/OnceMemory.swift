import Identifiers
import Synchronization

/// Tells what comes a second time within a while, such as a form that was sent already. Each process has its own.
final class OnceMemory<Element: Hashable & Sendable>: Sendable {
    private struct Elements {
        var current: Set<Element> = []
        var former: Set<Element> = []
        var turnedAt = Timestamp.distantPast
    }

    private let lifetime: Duration
    private let capacity: Int
    /// Guards what came within the last lifetime, and some of what came before.
    private let elements = Mutex(Elements())

    /// - Parameters:
    ///   - lifetime: for how long something is remembered at least.
    ///   - capacity: so many are remembered for a whole lifetime. Beyond it, the oldest are forgotten earlier.
    init(lifetime: Duration, capacity: Int) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    /// Whether `element` did not come before. Remembers it.
    func isFirst(_ element: Element, at now: Timestamp) -> Bool {
        elements.withLock { elements in
            let isOver = now >= elements.turnedAt.advanced(by: lifetime)
            if isOver || elements.current.count >= capacity {
                (elements.former, elements.current, elements.turnedAt) = (elements.current, [], now)
            }
            return !elements.former.contains(element) && elements.current.insert(element).inserted
        }
    }
}
