import Identifiers

/// Counts what one recipient did with a message: each interaction in totals, and the recipient once under each counter.
struct ActivityOfPerson {
    private(set) var counts = ActivityCounts()
    private let madeAt: Timestamp?
    /// Under which counters the recipient counts already.
    private var counted: Set<ActivityCounter> = []
    /// The class that says most of those that their opens had.
    private var openClass: VisitorClass?

    init(madeAt: Timestamp?) { self.madeAt = madeAt }

    mutating func count(_ row: MessageActivity.Row, isSuspected: Bool) {
        counts[.kind(row.kind)] += ActivityTally(
            total: 1, automated: row.automated ? 1 : 0, suspected: isSuspected ? 1 : 0)
        if row.kind.isOpen, !isSuspected { countOpen(row) }
        guard !row.automated, !isSuspected else { return }
        if row.recipient != nil, counted.insert(.kind(row.kind)).inserted { counts[.kind(row.kind)].people += 1 }
        guard row.kind == .pushLinkClicked else { return }
        count(row, under: .link(row.link))
        count(row, under: .clicksOnDay(CalendarDay(row.occurredAt)))
        if let hour = hour(of: row) { count(row, under: .clicksInHour(hour)) }
    }

    private mutating func countOpen(_ row: MessageActivity.Row) {
        counts[.opens(row.visitor)].total += 1
        if row.recipient != nil, openClass.map(row.visitor.saysMore) ?? true {
            if let openClass { counts[.opens(openClass)].people -= 1 }
            counts[.opens(row.visitor)].people += 1
            openClass = row.visitor
        }
        guard row.visitor == .person else { return }
        count(row, under: .opensOnDay(CalendarDay(row.occurredAt)))
        if let hour = hour(of: row) { count(row, under: .opensInHour(hour)) }
    }

    private mutating func count(_ row: MessageActivity.Row, under counter: ActivityCounter) {
        let isNew = row.recipient != nil && counted.insert(counter).inserted
        counts[counter] += ActivityTally(total: 1, people: isNew ? 1 : 0)
    }

    private func hour(of row: MessageActivity.Row) -> Int? {
        guard let madeAt, row.occurredAt >= madeAt else { return nil }
        let (since, isTooLong) = row.occurredAt.millisecondsSince1970.subtractingReportingOverflow(
            madeAt.millisecondsSince1970)
        let hour = since / 3_600_000
        return !isTooLong && hour < Int64(ActivityCounter.hours) ? Int(hour) : nil
    }
}
