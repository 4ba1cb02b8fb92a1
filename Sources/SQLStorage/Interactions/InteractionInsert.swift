import Identifiers
import Interactions
import SQL

/// Stores a batch of occurrences, inside a write: it looks up what they are about and what their recipients did before,
/// then writes the rows, and then counts them.
///
/// Recipients are looked up and counted in the order of messages and recipients, which is the order of their index.
struct InteractionInsert {
    /// A larger batch is put into the order of recipients. The drain stores such a batch when many clicks wait and
    /// the store allows it (``InteractionStore/maximumBatchSize``), or when one commit of the spool has so many.
    private static let maximumOrderedCount = 5_000

    private struct Row {
        /// The index in the batch.
        var index: Int
        let organization: Int64
        /// When the message was made.
        let madeAt: Timestamp
        /// `nil` for an erased recipient.
        let recipient: Int64?
        /// Whether it is the recipient's first of its kind with the message. It is not known for an erased recipient.
        var isFirst = false
    }

    /// What one recipient did with one message.
    private struct Acts {
        let person: ActivityCounting.Person
        /// The range in `rowsOfPeople`.
        let rows: Range<Int>
        let before: StoredActivity
    }

    private var batch: [SpooledOccurrence]
    private let now: Timestamp
    private let writing: WriteContext
    private let outdatedRecipients: Set<Int64>
    private var lookup: OccurrenceLookup
    /// In the order in which they are written.
    private var rows: [Row] = []
    /// The rows that have a recipient, by message and recipient, and for each pair in the order of the batch.
    private var rowsOfPeople: [Int] = []
    private var acts: [Acts] = []
    private var outdated: [SpooledOccurrence] = []

    /// Stores a batch, except occurrences that are stored already or are about an unknown message.
    /// - Parameters:
    ///   - lookup: made for this batch.
    ///   - outdated: recipients whose occurrences are not stored, because their consent has changed since it was asked
    ///     for.
    /// - Returns: the occurrences that were not stored, because they must be judged again.
    static func store(
        _ batch: [SpooledOccurrence], _ lookup: consuming OccurrenceLookup, butNotOf outdated: Set<Int64>,
        at now: Timestamp, _ writing: WriteContext
    ) throws -> [SpooledOccurrence] {
        var insert = Self(
            batch: batch, now: now, writing: writing, outdatedRecipients: outdated, lookup: lookup)
        insert.rows.reserveCapacity(batch.count)
        for index in batch.indices { try insert.take(index) }
        try insert.findActs()
        try insert.judgeFirsts()
        let counting = try insert.counting()
        try insert.write()
        try insert.count(counting)
        return insert.outdated
    }

    private mutating func take(_ index: Int) throws {
        let spooled = batch[index]
        let occurrence = spooled.occurrence
        guard let owner = try lookup.owner(of: occurrence.message),
            try lookup.isNew(spooled.id, of: owner.organization)
        else { return }
        let recipient = try lookup.recipient(occurrence.recipient, in: owner.organization)
        if let recipient, outdatedRecipients.contains(recipient) { return outdated.append(spooled) }
        lookup.take(spooled.id)
        rows.append(
            Row(index: index, organization: owner.organization, madeAt: owner.madeAt, recipient: recipient))
    }

    /// The message and the recipient of a row; `nil` for an erased recipient.
    private func person(of row: Int) -> ActivityCounting.Person? {
        rows[row].recipient.map {
            ActivityCounting.Person(message: occurrence(of: row).message, recipient: $0)
        }
    }

    private func occurrence(of row: Int) -> Occurrence { batch[rows[row].index].occurrence }

    private mutating func findActs() throws {
        let people = order()
        acts.reserveCapacity(people.count)
        var start = people.startIndex
        while start < people.endIndex {
            let person = people[start]
            var end = start + 1
            while end < people.endIndex, people[end] == person { end += 1 }
            let before = try lookup.history(of: person, in: rows[rowsOfPeople[start]].organization)
            acts.append(Acts(person: person, rows: start..<end, before: before))
            start = end
        }
    }

    /// Orders the rows that have a recipient. A small batch is written in the order in which it came. A large one is
    /// written in the order of recipients, which writes each page of their indexes once and takes two thirds of the
    /// time. Its occurrences are moved, too: each further step then finds them beside each other in memory.
    /// - Returns: the people of `rowsOfPeople`.
    private mutating func order() -> [ActivityCounting.Person] {
        // Rows of the same person keep their order: Swift's sort is stable.
        let people = rows.indices.compactMap { row in person(of: row).map { (person: $0, row: row) } }
            .sorted { $0.person < $1.person }
        if rows.count > Self.maximumOrderedCount {
            var ordered: [Row] = []
            ordered.reserveCapacity(rows.count)
            for person in people { ordered.append(rows[person.row]) }
            for row in rows where row.recipient == nil { ordered.append(row) }
            rows = ordered
            batch = rows.map { batch[$0.index] }
            for row in rows.indices { rows[row].index = row }
            rowsOfPeople = Array(people.indices)
        } else {
            rowsOfPeople = people.map(\.row)
        }
        return people.map(\.person)
    }

    private mutating func judgeFirsts() throws {
        var firsts = try FirstInteractions(writing.db)
        try firsts.prefetch(
            acts.filter { $0.before.count + $0.rows.count > PersonHistory.judged }.flatMap { acts in
                var kinds = FirstInteractions.Kinds(acts.before)
                return rowsOfPeople[acts.rows].map { occurrence(of: $0).kind }.filter { kinds.add($0) == .unread }
                    .map { (acts.person, $0) }
            })
        for acts in acts {
            var kinds = FirstInteractions.Kinds(acts.before)
            for row in rowsOfPeople[acts.rows] {
                rows[row].isFirst = try firsts.add(occurrence(of: row).kind, of: acts.person, to: &kinds)
            }
        }
    }

    private func write() throws {
        let insert = try writing.db.rows(
            """
            INSERT INTO interactions (
                id, organization, message, recipient, kind, source, link, is_automated, occurred_at, recorded_at,
                action, is_first, volume, position, visitor
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        for row in rows {
            let occurrence = batch[row.index].occurrence
            try insert.add(
                batch[row.index].id,
                row.organization,
                occurrence.message,
                row.recipient,
                occurrence.kind.code,
                occurrence.source.code,
                occurrence.link.rawValue,
                occurrence.visitor.isAutomated,
                occurrence.occurredAt,
                now,
                occurrence.action?.text,
                row.isFirst,
                writing.nextVolume(of: .interactions),
                writing.nextPosition(at: now),
                occurrence.visitor.rawValue
            )
        }
        try insert.finish()
    }

    /// Reads what counting needs, before the rows are sent: an engine on a server would answer only after storing them.
    private func counting() throws -> ActivityCounting {
        try ActivityCounting(of: Set(acts.lazy.map(\.person.message)), writing.db)
    }

    /// Counts after the rows are sent, because an engine on a server stores them meanwhile.
    private func count(_ counting: ActivityCounting) throws {
        var counting = counting
        // A closure that used the properties would copy all of them for each person.
        let (rows, batch) = (rows, batch)
        for acts in acts {
            let own = rowsOfPeople[acts.rows]
            guard let first = own.first else { continue }
            counting.add(
                own.lazy.map { batch[rows[$0].index].occurrence }, of: acts.person, after: acts.before,
                madeAt: rows[first].madeAt)
        }
        var stored: [Int64: Int] = [:]
        for row in rows {
            stored[row.organization, default: 0] += 1
            if row.recipient == nil { counting.addOfNobody(batch[row.index].occurrence, madeAt: row.madeAt) }
        }
        try counting.finish()
        for (organization, count) in stored { try QuotasRow.addStored(count, of: organization, writing.db) }
    }
}
