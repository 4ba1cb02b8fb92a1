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
    private let pastRetention = Atomic<Int>(0)
    private let parked = Atomic<Int>(0)
    /// What an earlier process set aside and was not judged again yet.
    private let parkedBefore = Atomic<Int>(0)

    func committed(_ occurrences: Int) { depth.wrappingAdd(occurrences, ordering: .relaxed) }

    /// - Parameters:
    ///   - dropped: how many of them were not stored.
    ///   - parked: how many of them were set aside.
    func drained(_ occurrences: Int, dropped: DroppedCounts, parked: Int) {
        depth.wrappingSubtract(occurrences, ordering: .relaxed)
        stored.wrappingAdd(occurrences - dropped.total - parked, ordering: .relaxed)
        add(dropped)
        foundParked(parked)
    }

    /// Must be called when what an earlier process set aside was judged again.
    /// - Parameter left: how many occurrences stay set aside.
    func judgedParked(left: Int) {
        parkedBefore.store(0, ordering: .relaxed)
        foundParked(left)
    }

    /// Must be called when nothing is left but what is set aside, and nothing is added any more. The depth may be too
    /// great until then.
    func emptied() { depth.store(0, ordering: .relaxed) }

    /// Adds to the occurrences that are set aside, which were not counted before.
    private func foundParked(_ occurrences: Int) { parked.wrappingAdd(occurrences, ordering: .relaxed) }

    /// Occurrences that were set aside and never counted were judged, so they are not set aside any more.
    func settledParked(_ occurrences: Int, dropped: DroppedCounts) {
        stored.wrappingAdd(occurrences - dropped.total, ordering: .relaxed)
        add(dropped)
    }

    private func add(_ dropped: DroppedCounts) {
        self.dropped.wrappingAdd(dropped.notPermitted, ordering: .relaxed)
        pastRetention.wrappingAdd(dropped.pastRetention, ordering: .relaxed)
    }

    /// Sets the depth to what an earlier process left in the spool. Must be called before anything is added.
    /// - Parameter parked: how many occurrences it had set aside.
    package func begin(with leftover: Int, parked: Int = 0) {
        depth.store(leftover, ordering: .relaxed)
        parkedBefore.store(parked, ordering: .relaxed)
    }

    /// How many occurrences would be lost with the spool: those that wait, and those that are set aside.
    package var held: Int { currentDepth + parkedBefore.load(ordering: .relaxed) + parkedCount }

    /// A batch may be drained before its commit is counted, so the sum can be negative for a short time.
    package var currentDepth: Int { max(0, depth.load(ordering: .relaxed)) }
    var storedCount: Int { stored.load(ordering: .relaxed) }
    var droppedCount: Int { dropped.load(ordering: .relaxed) }
    var pastRetentionCount: Int { pastRetention.load(ordering: .relaxed) }
    var parkedCount: Int { parked.load(ordering: .relaxed) }
}
