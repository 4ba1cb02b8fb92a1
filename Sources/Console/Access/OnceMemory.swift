import Identifiers
import Synchronization

/// Finds elements that come a second time within a period, such as a form that was sent already. Each process has its
/// own.
final class OnceMemory<Element: Hashable & Sendable>: Sendable {
    private struct Elements {
        var current: Set<Element> = []
        var former: Set<Element> = []
        var turnedAt = Timestamp.distantPast
    }

    private let lifetime: Duration
    private let capacity: Int
    /// Guards the elements of the last lifetime, and some earlier ones.
    private let elements = Mutex(Elements())

    /// - Parameters:
    ///   - lifetime: how long an element is remembered at least.
    ///   - capacity: the number of elements that are remembered for a whole lifetime. If there are more, the oldest are
    ///     forgotten earlier.
    init(lifetime: Duration, capacity: Int) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    /// The element is new again.
    func forget(_ element: Element) {
        elements.withLock { elements in
            elements.current.remove(element)
            elements.former.remove(element)
        }
    }

    /// Returns whether `element` is new, and remembers it.
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
