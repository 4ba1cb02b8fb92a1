import Synchronization

/// Counts how often erased content was cleared from a file. A copy that was begun before may still contain it.
package final class ErasureEpoch: Sendable {
    private let total = Atomic<Int>(0)

    package init() {}

    /// The count so far.
    package var count: Int { total.load(ordering: .acquiring) }

    /// Must be called before erased content is cleared from the file and after its erasure was committed.
    package func add() { total.add(1, ordering: .releasing) }
}
