package import Identifiers

/// The interactions of one recipient with one message, and how each added one changes the counts.
///
/// Counting all of them again for each new one would cost more, the more there are. An interaction can only change how
/// others are judged if it is a click near other clicks that may be a scanner's (``ScannerBurst``); only then all are
/// counted again. The result is ``counts``, in any order in which they are added.
package struct JudgedActivity: Sendable {
    /// In the order of time.
    private var rows: [MessageActivity.Row]
    private var suspected: [Bool]
    private let madeAt: Timestamp?
    /// The counts before the first added row that may change how others are judged; `nil` if there is none.
    private var countsBefore: ActivityCounts?
    /// The changes by the added rows. Complete after ``finish()``.
    package private(set) var difference = ActivityChanges()

    /// - Parameter rows: the rows that are counted already, in any order. All must be of one recipient.
    package init(_ rows: [MessageActivity.Row] = [], madeAt: Timestamp?) {
        self.rows = rows.sorted { $0.occurredAt < $1.occurredAt }
        suspected = ScannerBurst.suspected(in: self.rows)
        self.madeAt = madeAt
    }

    package var count: Int { rows.count }

    package mutating func add(_ row: MessageActivity.Row) {
        if countsBefore == nil {
            if row.kind == .pushLinkClicked, ScannerBurst.mayChange(rows, by: row) {
                countsBefore = counts
            } else {
                count(row)
                return
            }
        }
        insert(row, isSuspected: false)
    }

    /// Must be called after the last row was added.
    package mutating func finish() {
        guard let before = countsBefore else { return }
        countsBefore = nil
        suspected = ScannerBurst.suspected(in: rows)
        var change = counts
        change -= before
        difference += change
    }

    /// The counts of all rows, computed from the beginning.
    package var counts: ActivityCounts {
        var person = ActivityOfPerson(madeAt: madeAt)
        for (row, isSuspected) in zip(rows, suspected) { person.count(row, isSuspected: isSuspected) }
        return person.counts
    }

    /// Whether the recipient followed a link.
    package var isClicker: Bool { persons.contains { $0.kind == .pushLinkClicked && !$0.automated } }

    /// The class with the best evidence among the recipient's opens; `nil` if there are none.
    package var openClass: VisitorClass? { persons.openClass }

    /// The rows that are not suspected to be a scanner's.
    private var persons: [MessageActivity.Row] {
        suspected.contains(true) ? zip(rows, suspected).filter { !$1 }.map(\.0) : rows
    }

    /// Adds the counts of `row`, which does not change how the other rows are judged.
    private mutating func count(_ row: MessageActivity.Row) {
        let isSuspected =
            row.kind == .messageOpened
            && zip(rows, suspected).contains { other, isSuspected in
                isSuspected && other.kind == .pushLinkClicked && ScannerBurst.isNear(other, row)
            }
        persons.addChanges(by: row, isSuspected: isSuspected, madeAt: madeAt, to: &difference)
        insert(row, isSuspected: isSuspected)
    }

    private mutating func insert(_ row: MessageActivity.Row, isSuspected: Bool) {
        let place = rows.lastIndex { $0.occurredAt <= row.occurredAt }.map { $0 + 1 } ?? 0
        rows.insert(row, at: place)
        suspected.insert(isSuspected, at: place)
    }
}
