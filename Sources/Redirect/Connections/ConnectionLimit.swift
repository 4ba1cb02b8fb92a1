import Synchronization

/// How many connections a listener may have at once, on all its event loops.
package final class ConnectionLimit: Sendable {
    /// With more, a flood could take the memory of the process and of the kernel.
    package static let usual = 20_000

    package let maximum: Int
    private let count = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)

    package init(_ maximum: Int = usual) { self.maximum = maximum }

    /// One more is open.
    /// - Returns: whether some must make room: a sixteenth is kept free for those that come.
    func open() -> Bool { count.wrappingAdd(1, ordering: .relaxed).newValue > maximum - maximum / 16 }

    func close() { count.wrappingSubtract(1, ordering: .relaxed) }

    package var openCount: Int { count.load(ordering: .relaxed) }

    // MARK: Descriptors

    /// The system has given a connection, which takes a descriptor until ``released()``.
    package func accept() { accepted.wrappingAdd(1, ordering: .relaxed) }

    package func released() { accepted.wrappingSubtract(1, ordering: .relaxed) }

    /// Whether no more may be taken from the system.
    package var isReached: Bool { accepted.load(ordering: .relaxed) >= maximum }
}
