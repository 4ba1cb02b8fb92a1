import Synchronization

/// The maximum number of connections of a listener, on all its event loops.
package final class ConnectionLimit: Sendable {
    /// With more connections, a flood could exhaust the memory of the process and of the kernel.
    package static let usual = 20_000

    package let maximum: Int
    private let count = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)

    package init(_ maximum: Int = usual) { self.maximum = maximum }

    /// Counts one more connection.
    /// - Returns: whether some connections must be closed: a sixteenth is kept free for new ones.
    func open() -> Bool { count.wrappingAdd(1, ordering: .relaxed).newValue > maximum - maximum / 16 }

    func close() { count.wrappingSubtract(1, ordering: .relaxed) }

    package var openCount: Int { count.load(ordering: .relaxed) }

    // MARK: Descriptors

    /// A connection was accepted. It takes a file descriptor until ``released()``.
    package func accept() { accepted.wrappingAdd(1, ordering: .relaxed) }

    package func released() { accepted.wrappingSubtract(1, ordering: .relaxed) }

    /// Whether no more connections may be accepted.
    package var isReached: Bool { accepted.load(ordering: .relaxed) >= maximum }
}
