import Identifiers

/// Counts the interactions of one recipient with a message: each in totals, and the recipient once under each counter.
struct ActivityOfPerson {
    private(set) var counts = ActivityCounts()
    private let madeAt: Timestamp?
    /// The counters under which the recipient counts already.
    private var counted: Set<ActivityCounter> = []
    /// The class with the best evidence among the recipient's opens.
    private var openClass: VisitorClass?

    init(madeAt: Timestamp?) { self.madeAt = madeAt }

    mutating func count(_ row: MessageActivity.Row, isSuspected: Bool) {
        row.count(isSuspected: isSuspected, madeAt: madeAt, after: openClass) { counter in
            counted.insert(counter).inserted
        } change: { counter, tally in
            counts[counter] += tally
        }
        if !isSuspected { openClass = row.openClass(after: openClass) }
    }
}

extension [MessageActivity.Row] {
    /// The class with the best evidence among the opens; `nil` if there is no open.
    var openClass: VisitorClass? {
        var found: VisitorClass?
        for row in self { found = row.openClass(after: found) }
        return found
    }

    /// Adds the changes that `row` makes to the counts of these rows, which are of the same recipient and not suspected
    /// to be a scanner's.
    func addChanges(
        by row: MessageActivity.Row, isSuspected: Bool, madeAt: Timestamp?, to changes: inout ActivityChanges
    ) {
        row.count(isSuspected: isSuspected, madeAt: madeAt, after: openClass) { counter in
            !contains { $0.counts(under: counter, madeAt: madeAt) }
        } change: { counter, tally in
            changes.add(counter, tally)
        }
    }
}

extension MessageActivity.Row {
    /// Calls `change` with each change of the row.
    /// - Parameters:
    ///   - openClass: the class with the best evidence among the recipient's earlier opens.
    ///   - isFirst: whether the recipient counts under the counter for the first time; called once for each counter.
    fileprivate func count(
        isSuspected: Bool, madeAt: Timestamp?, after openClass: VisitorClass?,
        isFirst: (ActivityCounter) -> Bool, change: (ActivityCounter, ActivityTally) -> Void
    ) {
        change(.kind(kind), ActivityTally(total: 1, automated: automated ? 1 : 0, suspected: isSuspected ? 1 : 0))
        guard !isSuspected else { return }
        if kind.isOpen {
            change(.opens(visitor), ActivityTally(total: 1))
            if recipient != nil, openClass.map(visitor.saysMore) ?? true {
                if let openClass { change(.opens(openClass), ActivityTally(people: -1)) }
                change(.opens(visitor), ActivityTally(people: 1))
            }
        }
        forEachCounter(madeAt: madeAt) { counter in
            // The total of a kind is counted above.
            let total = if case .kind = counter { 0 } else { 1 }
            let people = recipient != nil && isFirst(counter) ? 1 : 0
            if total + people > 0 { change(counter, ActivityTally(total: total, people: people)) }
        }
    }

    /// The class with the best evidence among the recipient's opens, including this one.
    fileprivate func openClass(after before: VisitorClass?) -> VisitorClass? {
        guard kind.isOpen, recipient != nil else { return before }
        return before.map { visitor.saysMore(than: $0) ? visitor : $0 } ?? visitor
    }

    /// Calls `visit` with each counter under which the recipient of this row counts, except opens by class, where a
    /// recipient counts under one class only. Does nothing for a machine's interaction.
    fileprivate func forEachCounter(madeAt: Timestamp?, _ visit: (ActivityCounter) -> Void) {
        guard !automated else { return }
        visit(.kind(kind))
        if kind == .pushLinkClicked {
            visit(.link(link))
            visit(.clicksOnDay(CalendarDay(occurredAt)))
            if let hour = hour(after: madeAt) { visit(.clicksInHour(hour)) }
        } else if kind.isOpen, visitor == .person {
            visit(.opensOnDay(CalendarDay(occurredAt)))
            if let hour = hour(after: madeAt) { visit(.opensInHour(hour)) }
        }
    }

    fileprivate func counts(under counter: ActivityCounter, madeAt: Timestamp?) -> Bool {
        var isCounted = false
        forEachCounter(madeAt: madeAt) { isCounted = isCounted || $0 == counter }
        return isCounted
    }

    private func hour(after madeAt: Timestamp?) -> Int? {
        guard let madeAt, occurredAt >= madeAt else { return nil }
        let (since, isTooLong) = occurredAt.millisecondsSince1970.subtractingReportingOverflow(
            madeAt.millisecondsSince1970)
        let hour = since / Timestamp.millisecondsPerHour
        return !isTooLong && hour < Int64(ActivityCounter.hours) ? Int(hour) : nil
    }
}
