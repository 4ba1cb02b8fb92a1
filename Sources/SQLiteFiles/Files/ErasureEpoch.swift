import Synchronization

/// Counts how often a file was rid of what was erased, so that a copy which was begun before does not keep it.
package final class ErasureEpoch: Sendable {
    private let total = Atomic<Int>(0)

    package init() {}

    /// How often so far.
    package var count: Int { total.load(ordering: .acquiring) }

    /// Something is about to be wiped from the file, and was committed as erased before.
    package func note() { total.add(1, ordering: .releasing) }
}
