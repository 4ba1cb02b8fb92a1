import Synchronization

/// Knows whether anybody was forgotten since, so that a copy of the files which was begun before does not keep them.
final class ErasureEpoch: Sendable {
    private let total = Atomic<Int>(0)

    /// How often something was forgotten so far.
    var count: Int { total.load(ordering: .acquiring) }

    /// Something is about to be wiped from the files, and was committed as forgotten before.
    func note() { total.add(1, ordering: .releasing) }
}
