import Counting
import Synchronization

/// Counts what goes into the spool and comes out of it: once per commit and once per drained batch.
package final class SpoolCounters: Sendable {
    /// The time of one commit with its sync, successful or not.
    let commitSeconds = Histogram(boundsInMicroseconds: [
        250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 3_000_000, 10_000_000,
    ])
    private let depth = Atomic<Int>(0)
    private let stored = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let parked = Atomic<Int>(0)

    func committed(_ occurrences: Int) { depth.wrappingAdd(occurrences, ordering: .relaxed) }

    /// - Parameters:
    ///   - dropped: how many of them were not permitted.
    ///   - parked: how many of them were set aside.
    func drained(_ occurrences: Int, dropped: Int, parked: Int) {
        depth.wrappingSubtract(occurrences, ordering: .relaxed)
        stored.wrappingAdd(occurrences - dropped - parked, ordering: .relaxed)
        self.dropped.wrappingAdd(dropped, ordering: .relaxed)
        foundParked(parked)
    }

    /// Adds to the occurrences that are set aside, which were not counted before.
    func foundParked(_ occurrences: Int) { parked.wrappingAdd(occurrences, ordering: .relaxed) }

    /// Occurrences that were set aside, and never counted, no longer are.
    func settledParked(_ occurrences: Int, dropped: Int) {
        stored.wrappingAdd(occurrences - dropped, ordering: .relaxed)
        self.dropped.wrappingAdd(dropped, ordering: .relaxed)
    }

    /// Sets the depth to what an earlier process left in the spool. Must be called before anything is added.
    package func begin(with leftover: Int) { depth.store(leftover, ordering: .relaxed) }

    /// A batch may be drained before its commit is counted, so the sum can be negative for a short time.
    package var currentDepth: Int { max(0, depth.load(ordering: .relaxed)) }
    var storedCount: Int { stored.load(ordering: .relaxed) }
    var droppedCount: Int { dropped.load(ordering: .relaxed) }
    var parkedCount: Int { parked.load(ordering: .relaxed) }
}
