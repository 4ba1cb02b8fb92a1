import Synchronization

/// Counts how often erased content was wiped from a file, so that a copy that was begun before does not keep it.
package final class ErasureEpoch: Sendable {
    private let total = Atomic<Int>(0)

    package init() {}

    /// How often so far.
    package var count: Int { total.load(ordering: .acquiring) }

    /// Must be called when something is about to be wiped from the file, after its erasure was committed.
    package func note() { total.add(1, ordering: .releasing) }
}
