package import Identifiers

/// The interactions of one recipient with one message, and what each that is added changes in the counts.
///
/// Counting all of them anew for each one more would cost as much as all of them. An interaction changes how others are
/// judged only as a click near others that may be a scanner's (``ScannerBurst``); only then they are counted anew. The
/// result is that of ``MessageActivity``, whatever the order in which they come.
package struct JudgedActivity: Sendable {
    /// In order of time.
    private var rows: [MessageActivity.Row]
    private var suspected: [Bool]
    private let madeAt: Timestamp?
    /// What the rows counted before one came that may change how others are judged; `nil` while none has come.
    private var countsBefore: ActivityCounts?
    /// What those change that were added. Complete once ``finish()`` was called.
    package private(set) var difference = ActivityChanges()

    /// - Parameter rows: those that are counted already, in any order; all of the one recipient.
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

    /// Must be called once every row was added.
    package mutating func finish() {
        guard let before = countsBefore else { return }
        countsBefore = nil
        suspected = ScannerBurst.suspected(in: rows)
        var change = counts
        change -= before
        difference += change
    }

    /// What all of them count, from nothing.
    package var counts: ActivityCounts {
        var person = ActivityOfPerson(madeAt: madeAt)
        for (row, isSuspected) in zip(rows, suspected) { person.count(row, isSuspected: isSuspected) }
        return person.counts
    }

    /// Whether the recipient followed a link.
    package var isClicker: Bool { persons.contains { $0.kind == .pushLinkClicked && !$0.automated } }

    /// The class that says most about the recipient's opens; `nil` where there are none.
    package var openClass: VisitorClass? { persons.openClass }

    /// Those that no scanner is suspected of.
    private var persons: [MessageActivity.Row] {
        suspected.contains(true) ? zip(rows, suspected).filter { !$1 }.map(\.0) : rows
    }

    /// Adds what `row` counts besides the others, which it leaves as they are judged.
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
