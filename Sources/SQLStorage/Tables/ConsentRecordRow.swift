import Consent
import Identifiers
import Ledger
import SQL

/// Reads and writes whole consent records.
enum ConsentRecordRow {
    /// The columns that ``record(_:)`` reads.
    static let ownColumns = "c.id, p.name, c.state, c.occurred_at, c.recorded_at, c.valid_until, c.evidence"

    private static let columns = """
        SELECT \(ownColumns)
        FROM consents c JOIN purposes p ON p.number = c.purpose
        """

    static func find(_ id: ConsentRecordID, organization: Int64, _ db: any SQLConnection) throws -> ConsentRecord? {
        try db.statement("\(columns) WHERE c.id = ? AND c.organization = ?").first(id, organization, read: record)
    }

    /// - Returns: `nil` when there is no such record.
    static func organization(of id: ConsentRecordID, _ db: any SQLConnection) throws -> OrganizationID? {
        try db.statement(
            "SELECT o.id FROM consents c JOIN organizations o ON o.number = c.organization WHERE c.id = ?"
        ).first(id) { try OrganizationID($0.text(0)) }
    }

    /// The ids of a person's records in the order in which they were recorded.
    static func ids(organization: Int64, recipient: Int64, _ db: any SQLConnection) throws -> [ConsentRecordID] {
        try db.statement("SELECT id FROM consents WHERE organization = ? AND recipient = ? ORDER BY id")
            .all(organization, recipient) { try $0.id(0) }
    }

    /// Some of a recipient's records in the order of the index, which is that of ConsentInForce.outranks. Stops at
    /// ``ConsentEvidence/lengthAtOnce``.
    static func history(
        organization: Int64,
        recipient: Int64,
        after last: ConsentRecord?,
        limit: Int,
        withEvidence hasEvidence: Bool,
        _ db: any SQLConnection
    ) throws -> [ConsentRecord] {
        // Without the index, the engine would sort the whole history for each of these reads.
        let columns = columns.replacing("consents c", with: "consents c INDEXED BY consents_in_force")
        var (found, evidence) = ([ConsentRecord](), 0)
        try db.longStatement(
            """
            \(hasEvidence ? columns : columns.replacing("c.evidence", with: "NULL"))
            WHERE c.organization = ? AND c.recipient = ?
            AND (c.purpose, c.occurred_at, c.ends_tracking, c.id) > (?, ?, ?, ?)
            ORDER BY c.purpose, c.occurred_at, c.ends_tracking, c.id LIMIT ?
            """
        ).forEach(
            organization,
            recipient,
            try last.flatMap { try PurposeRow.find($0.purpose, db) } ?? 0,
            last?.occurredAt ?? .distantPast,
            last?.state.endsTracking ?? false,
            Int64(last?.id.rawValue ?? 0),
            limit
        ) { row in
            let next = try record(row)
            found.append(next)
            evidence += next.evidence?.length ?? 0
            return evidence < ConsentEvidence.lengthAtOnce
        }
        return found
    }

    /// The records with these ids and those between, in their order.
    static func records(
        from first: ConsentRecordID,
        through last: ConsentRecordID,
        organization: Int64,
        _ db: any SQLConnection
    ) throws -> [ConsentRecord] {
        try db.statement("\(columns) WHERE c.id BETWEEN ? AND ? AND c.organization = ? ORDER BY c.id")
            .all(first, last, organization, read: record)
    }

    static func insert(_ db: any SQLConnection) throws -> RowInsert {
        try db.rows(
            """
            INSERT INTO consents (
                id, organization, recipient, purpose, state, ends_tracking, occurred_at, recorded_at, valid_until,
                evidence, salt
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
    }

    /// - Throws: ``RowError/unreadable(_:)``
    static func record(_ row: SQLRow) throws -> ConsentRecord {
        try row.readable(.consent, id: 0) {
            ConsentRecord(
                id: try row.id(0),
                purpose: try row.purpose(1),
                state: try ConsentState(code: row.integer(2)),
                occurredAt: row.timestamp(3),
                recordedAt: row.timestamp(4),
                validUntil: row.optionalTimestamp(5),
                evidence: try row.personalText(6).map(EvidenceJSON.decode)
            )
        }
    }

    /// The part of a record that the decision rests on, from the columns at these places.
    /// - Throws: ``RowError/unreadable(_:)``
    static func inForce(
        _ row: SQLRow, id: Int32, state: Int32, occurredAt: Int32, validUntil: Int32
    ) throws -> ConsentInForce {
        try row.readable(.consent, id: id) {
            ConsentInForce(
                record: try row.id(id),
                state: try ConsentState(code: row.integer(state)),
                occurredAt: row.timestamp(occurredAt),
                validUntil: row.optionalTimestamp(validUntil)
            )
        }
    }
}

extension ConsentRecord {
    /// - Parameter rows: made by ``ConsentRecordRow/insert(_:)``.
    func insert(organization: Int64, recipient: Int64, purpose: Int64, salt: Salt, with rows: RowInsert) throws {
        try rows.add(
            id,
            organization,
            recipient,
            purpose,
            state.code,
            state.endsTracking,
            occurredAt,
            recordedAt,
            validUntil,
            evidence.map { PersonalText(EvidenceJSON.encode($0)) },
            salt
        )
    }
}
