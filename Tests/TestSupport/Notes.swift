import Synchronization

/// What several tasks noted, in the order in which it came.
package final class Notes<Element: Sendable>: Sendable {
    private let noted = Mutex<[Element]>([])

    package init() {}

    package var all: [Element] { noted.withLock { $0 } }

    package func append(_ element: Element) { noted.withLock { $0.append(element) } }

    package func append(contentsOf elements: [Element]) { noted.withLock { $0 += elements } }
}
