import Identifiers

/// Distinguishes interactions of a mail scanner from those of a person, for one recipient and one message.
///
/// A scanner follows three or more different links of the message within two seconds, and fetches the picture of the
/// mail at the same time.
enum ScannerBurst {
    private static let links = 3
    private static let duration = Duration.seconds(2)

    /// Whether each of the rows, which must be in the order of time, is suspected to be a scanner's: a click of a
    /// burst, or an open within two seconds of one.
    static func suspected(in rows: [MessageActivity.Row]) -> [Bool] {
        var marked = [Bool](repeating: false, count: rows.count)
        guard mayHaveBurst(rows) else { return marked }
        markClicks(in: rows, &marked)
        markOpenings(in: rows, &marked)
        return marked
    }

    static func isNear(_ one: MessageActivity.Row, _ other: MessageActivity.Row) -> Bool {
        let (first, last) = (min(one.occurredAt, other.occurredAt), max(one.occurredAt, other.occurredAt))
        return last <= first.advanced(by: duration)
    }

    /// Whether a click can change how other rows are judged: it can if the clicks within two seconds before and after
    /// it have as many different links as a burst.
    static func mayChange(_ rows: [MessageActivity.Row], by click: MessageActivity.Row) -> Bool {
        var others: Set<LinkIndex> = []
        for row in rows where row.kind == .pushLinkClicked && row.link != click.link && isNear(row, click) {
            others.insert(row.link)
        }
        return others.count + 1 >= links
    }

    /// Whether there are as many clicks near each other as in a burst. For most recipients there are not, and no more
    /// is done.
    private static func mayHaveBurst(_ rows: [MessageActivity.Row]) -> Bool {
        var (before, last): (MessageActivity.Row?, MessageActivity.Row?)
        for row in rows where row.kind == .pushLinkClicked {
            if let before, isNear(before, row) { return true }
            (before, last) = (last, row)
        }
        return false
    }

    private static func markClicks(in rows: [MessageActivity.Row], _ marked: inout [Bool]) {
        let clicks = rows.indices.filter { rows[$0].kind == .pushLinkClicked }
        var linksInWindow: [LinkIndex: Int] = [:]
        var first = 0
        var markedUpTo = 0
        for last in clicks.indices {
            linksInWindow[rows[clicks[last]].link, default: 0] += 1
            while !isNear(rows[clicks[first]], rows[clicks[last]]) {
                let left = rows[clicks[first]].link
                linksInWindow[left] = linksInWindow[left].flatMap { $0 > 1 ? $0 - 1 : nil }
                first += 1
            }
            guard linksInWindow.count >= links else { continue }
            for click in max(first, markedUpTo)...last { marked[clicks[click]] = true }
            markedUpTo = last + 1
        }
    }

    private static func markOpenings(in rows: [MessageActivity.Row], _ marked: inout [Bool]) {
        for order in [Array(rows.indices), rows.indices.reversed()] {
            var click: MessageActivity.Row?
            for index in order {
                let row = rows[index]
                if row.kind == .pushLinkClicked, marked[index] { click = row }
                guard row.kind == .messageOpened, let click else { continue }
                if isNear(click, row) { marked[index] = true }
            }
        }
    }
}
