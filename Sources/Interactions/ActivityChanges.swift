/// By how much counters change, in the order in which that was found; one counter may come several times.
///
/// An interaction changes a handful of counters. To note them costs a fraction of counting them in a dictionary, which
/// each batch does once for all of its interactions.
package struct ActivityChanges: Sendable {
    package typealias Change = (counter: ActivityCounter, tally: ActivityTally)

    /// How many one interaction makes at most, mostly.
    private static let usual = 6

    package private(set) var all: [Change] = []

    package init() {}

    package mutating func add(_ counter: ActivityCounter, _ tally: ActivityTally) {
        if all.isEmpty { all.reserveCapacity(Self.usual) }
        all.append((counter, tally))
    }

    /// The same interactions, counted for nobody. Says so where they would have changed how many people clicked or opened
    /// (``ActivityCounter/uncounted``).
    package var withoutPeople: Self {
        var changes = self
        for place in changes.all.indices { changes.all[place].tally.people = 0 }
        if all.contains(where: { $0.counter.isOfResponders && $0.tally.people != 0 }) {
            changes.add(.uncounted, ActivityTally(total: 1))
        }
        return changes
    }

    package static func += (one: inout Self, counts: ActivityCounts) {
        for (counter, tally) in counts.tallies { one.add(counter, tally) }
    }
}

extension ActivityCounts {
    package static func += (one: inout Self, changes: ActivityChanges) {
        for (counter, tally) in changes.all { one.add(tally, to: counter) }
    }
}
