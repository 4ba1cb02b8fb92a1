import Identifiers

/// Counts what one recipient did with a message: each interaction in totals, and the recipient once under each counter.
struct ActivityOfPerson {
    private(set) var counts = ActivityCounts()
    private let madeAt: Timestamp?
    /// What was counted of the recipient before, and is in no count here.
    private let earlier: [MessageActivity.Row]
    /// Under which counters the recipient counts already.
    private var counted: Set<ActivityCounter> = []
    /// The class that says most of those that their opens had.
    private var openClass: VisitorClass?

    /// - Parameter earlier: rows that were counted before; none of them suspected.
    init(madeAt: Timestamp?, after earlier: [MessageActivity.Row] = []) {
        self.madeAt = madeAt
        self.earlier = earlier
        openClass = earlier.openClass
    }

    mutating func count(_ row: MessageActivity.Row, isSuspected: Bool) {
        counts[.kind(row.kind)] += ActivityTally(
            total: 1, automated: row.automated ? 1 : 0, suspected: isSuspected ? 1 : 0)
        guard !isSuspected else { return }
        if row.kind.isOpen { countOpen(row) }
        row.forEachCounter(madeAt: madeAt) { counter in
            let isNew = row.recipient != nil && isFirst(under: counter)
            // All of a kind are in its total already.
            let total = if case .kind = counter { 0 } else { 1 }
            counts[counter] += ActivityTally(total: total, people: isNew ? 1 : 0)
        }
    }

    private mutating func countOpen(_ row: MessageActivity.Row) {
        counts[.opens(row.visitor)].total += 1
        guard row.recipient != nil, openClass.map(row.visitor.saysMore) ?? true else { return }
        if let openClass { counts[.opens(openClass)].people -= 1 }
        counts[.opens(row.visitor)].people += 1
        openClass = row.visitor
    }

    private mutating func isFirst(under counter: ActivityCounter) -> Bool {
        guard counted.insert(counter).inserted else { return false }
        return !earlier.contains { $0.counts(under: counter, madeAt: madeAt) }
    }
}

extension [MessageActivity.Row] {
    /// The class that says most about the opens among them; `nil` where there is no open.
    var openClass: VisitorClass? {
        var found: VisitorClass?
        for row in self where row.kind.isOpen && (found.map(row.visitor.saysMore) ?? true) { found = row.visitor }
        return found
    }
}

extension MessageActivity.Row {
    /// Calls `visit` with each counter under which a recipient counts who did this: all but those of opens by class, of
    /// which a recipient counts under one alone. None for what a machine did.
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
        let hour = since / 3_600_000
        return !isTooLong && hour < Int64(ActivityCounter.hours) ? Int(hour) : nil
    }
}
