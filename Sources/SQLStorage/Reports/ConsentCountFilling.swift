import Consent
import Identifiers
import Reports
package import SQL

/// Counts the consent records that are older than the table of their counts, recipient by recipient, in steps that can
/// be interrupted.
///
/// Records that are stored meanwhile are counted by their own writes, as changes. So this counts only the records up to
/// the one that was last when it began. A recipient who is erased meanwhile is counted before the erasure.
package enum ConsentCountFilling {
    static let recordsAtOnce = 50_000

    private struct Progress {
        /// The last record to count; 0 until the first step.
        var last: Int64
        /// Recipients up to this one are counted.
        var organization: Int64
        var recipient: Int64
    }

    /// Counts some of the remaining records, inside a write that does nothing else.
    /// - Returns: whether more may remain. Costs one look-up if everything is counted.
    package static func step(_ db: any SQLConnection) throws -> Bool {
        try step(db, recordsAtOnce: recordsAtOnce)
    }

    /// Whether all records are counted.
    static func isFinished(_ db: any SQLConnection) throws -> Bool { try place(db) == nil }

    static func step(_ db: any SQLConnection, recordsAtOnce: Int) throws -> Bool {
        guard var place = try place(db) else { return false }
        var filling = Filling()
        var isMore = false
        var records = 0
        try db.longStatement(
            """
            SELECT \(Filling.columns) FROM consents INDEXED BY consents_in_force
            WHERE (organization, recipient) > (?, ?) AND recipient IS NOT NULL AND id <= ?
            ORDER BY organization, recipient, purpose, occurred_at, ends_tracking, id
            """
        ).forEach(place.organization, place.recipient, place.last) { row in
            let (organization, recipient) = (row.integer(0), row.integer(1))
            if records >= recordsAtOnce, (organization, recipient) != (place.organization, place.recipient) {
                isMore = true
                return false
            }
            (place.organization, place.recipient) = (organization, recipient)
            records += 1
            try filling.add(row)
            return true
        }
        try filling.store(db)
        if isMore {
            try db.statement("UPDATE consent_filling SET last_record = ?, organization = ?, recipient = ?")
                .run(place.last, place.organization, place.recipient)
        } else {
            try db.statement("DELETE FROM consent_filling").run()
        }
        return isMore
    }

    /// Counts one recipient who is about to be erased, if they are not counted yet.
    /// - Returns: whether other recipients may not be counted yet.
    static func fill(_ recipient: Int64, of organization: Int64, _ db: any SQLConnection) throws -> Bool {
        guard let place = try place(db) else { return false }
        guard (organization, recipient) > (place.organization, place.recipient) else { return true }
        var filling = Filling()
        try db.statement(
            """
            SELECT \(Filling.columns) FROM consents INDEXED BY consents_in_force
            WHERE organization = ? AND recipient = ? AND id <= ?
            ORDER BY organization, recipient, purpose, occurred_at, ends_tracking, id
            """
        ).forEach(organization, recipient, place.last) { row in
            try filling.add(row)
            return true
        }
        try filling.store(db)
        return true
    }

    private static func place(_ db: any SQLConnection) throws -> Progress? {
        var place = try db.statement("SELECT last_record, organization, recipient FROM consent_filling").first {
            Progress(last: $0.integer(0), organization: $0.integer(1), recipient: $0.integer(2))
        }
        if place?.last == 0 {
            let last = try db.statement("SELECT max(id) FROM consents").first { $0.optionalInteger(0) } ?? nil
            place?.last = last ?? 0
        }
        return place
    }

    /// Counts rows that are ordered by recipient and purpose.
    private struct Filling {
        static let columns = "organization, recipient, purpose, id, state, occurred_at, valid_until, evidence"

        private var batch = ConsentCountBatch()
        private var person: [Int64] = []
        private var history: [ConsentInForce] = []

        /// An unreadable value is left to the check of the ledger; it must not keep the database from being opened.
        mutating func add(_ row: SQLRow) throws {
            let (organization, recipient) = (row.integer(0), row.integer(1))
            guard let purpose = try row.ifReadable({ row.integer(2) }) else { return }
            let next = [organization, recipient, purpose]
            if next != person { finishPerson() }
            person = next
            guard let record = try? ConsentRecordRow.inForce(row, id: 3, state: 4, occurredAt: 5, validUntil: 6)
            else { return }
            let text = try row.ifReadable { try row.personalText(7) } ?? nil
            batch.addRecord(
                record.state, at: record.occurredAt, text.flatMap { try? EvidenceJSON.decode($0) },
                about: next[1], of: .init(organization: next[0], purpose: next[2]))
            history.append(record)
        }

        private mutating func finishPerson() {
            defer { history = [] }
            guard person.count == 3, !history.isEmpty else { return }
            let records = history
            batch.change(.init(organization: person[0], purpose: person[2])) { $0.addTimeline(of: records) }
        }

        mutating func store(_ db: any SQLConnection) throws {
            finishPerson()
            try batch.store(db)
        }
    }
}
