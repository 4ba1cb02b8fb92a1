import Synchronization

/// How many connections the public listener may have at once, on all its event loops.
package final class ConnectionLimit: Sendable {
    /// With more, a connection's memory and the kernel's would be a flood's to take.
    package static let usual = 20_000

    private let maximum: Int
    private let count = Atomic<Int>(0)

    package init(_ maximum: Int = usual) { self.maximum = maximum }

    /// One more is open.
    /// - Returns: whether there are too many now.
    func open() -> Bool { count.wrappingAdd(1, ordering: .relaxed).newValue > maximum }

    func close() { count.wrappingSubtract(1, ordering: .relaxed) }

    var openCount: Int { count.load(ordering: .relaxed) }
}
