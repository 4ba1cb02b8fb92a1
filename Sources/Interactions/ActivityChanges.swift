/// The changes of counters, in the order in which they were found. A counter may occur several times.
///
/// An interaction changes a handful of counters. Noting the changes costs a fraction of adding them up in a dictionary,
/// which each batch does once for all of its interactions.
package struct ActivityChanges: Sendable {
    package typealias Change = (counter: ActivityCounter, tally: ActivityTally)

    /// The greatest number of changes by one interaction in most cases.
    private static let usual = 6

    private(set) var all: [Change] = []

    package init() {}

    mutating func add(_ counter: ActivityCounter, _ tally: ActivityTally) {
        if all.isEmpty { all.reserveCapacity(Self.usual) }
        all.append((counter, tally))
    }

    /// The same changes without recipients. If the numbers of clickers or openers would have changed, it has
    /// ``ActivityCounter/uncounted`` instead.
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
