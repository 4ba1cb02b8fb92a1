import Consent
import Identifiers
import Ledger
import SQL
import StoragePorts

/// Which recipients of one organization may be recorded, as the database has it.
struct RecordingEnds: Sendable {
    let rules: OrganizationRules
    /// A record that cannot be read; nothing is recorded about its recipient.
    let unreadable: LedgerRowName?

    /// Reads the rows as a stream, so that only the result takes memory that grows with the data.
    static func load(_ id: OrganizationID, at now: Timestamp, _ db: any SQLConnection) throws -> RecordingEnds {
        let row = try OrganizationRow.require(id, db)
        var collector = RecordingEndCollector(
            policy: ConsentPolicy(enforcement: row.enforcement), openTracking: try PurposeRow.find(.openTracking, db))
        try collector.addRecords(of: row.number, at: now, db)
        if row.enforcement == .restrictive { try collector.addTrackedUnasked(of: row.number, at: now, db) }
        let erased = try db.statement(
            "SELECT reference FROM recipients WHERE organization = ? AND identifier IS NULL"
        ).all(row.number) { try $0.reference(0) }
        let rules = OrganizationRules(
            organization: id, enforcement: row.enforcement, honorsGPC: row.honorsGPC,
            ends: try collector.endsByScope(db), erased: erased)
        return RecordingEnds(rules: rules, unreadable: collector.unreadable)
    }
}

/// Finds the record in force for each recipient and purpose. If two records have the same instant, the state decides,
/// as in `ConsentInForce.outranks`.
private struct RecordingEndCollector {
    /// The record of a recipient and a purpose that outranks all earlier ones of the stream.
    private struct Candidate {
        let recipient: Int64
        let purpose: Int64
        let reference: RecipientReference
        /// `nil` if one of the records cannot be read.
        let consent: ConsentInForce?
    }

    let policy: ConsentPolicy
    /// The number of `open-tracking`; `nil` if nothing was ever stored for it.
    let openTracking: Int64?
    private var ends: [Int64: [RecordingEnd]] = [:]
    /// See ``RecordingScope/refusedOpens``.
    private var refusedOpens: [RecordingEnd] = []
    private(set) var unreadable: LedgerRowName?

    init(policy: ConsentPolicy, openTracking: Int64?) {
        self.policy = policy
        self.openTracking = openTracking
    }

    func endsByScope(_ db: any SQLConnection) throws -> [RecordingScope: [RecordingEnd]] {
        var named: [RecordingScope: [RecordingEnd]] = [:]
        for (number, ends) in ends { named[.purpose(try PurposeRow.name(of: number, db))] = ends }
        if !refusedOpens.isEmpty { named[.refusedOpens] = refusedOpens }
        return named
    }

    mutating func addRecords(of organization: Int64, at now: Timestamp, _ db: any SQLConnection) throws {
        var candidate: Candidate?
        try db.longStatement(
            """
            SELECT c.recipient, c.purpose, r.reference, c.id, c.state, c.occurred_at, c.valid_until
            FROM consents c INDEXED BY consents_in_force CROSS JOIN recipients r ON r.number = c.recipient
            WHERE c.organization = ? AND c.recipient > 0 AND c.occurred_at <= ?
            ORDER BY c.recipient, c.purpose, c.occurred_at, c.ends_tracking, c.id
            """
        ).forEach(organization, now) { row in
            let next = Candidate(
                recipient: row.integer(0),
                purpose: row.integer(1),
                reference: try row.reference(2),
                consent: try consent(row)
            )
            guard let last = candidate, last.recipient == next.recipient, last.purpose == next.purpose else {
                if let last = candidate { add(last) }
                candidate = next
                return true
            }
            guard let known = last.consent else { return true }
            if next.consent?.outranks(known) ?? true { candidate = next }
            return true
        }
        if let last = candidate { add(last) }
    }

    private mutating func consent(_ row: SQLRow) throws -> ConsentInForce? {
        do {
            return try ConsentRecordRow.inForce(row, id: 3, state: 4, occurredAt: 5, validUntil: 6)
        } catch RowError.unreadable(let row) {
            unreadable = unreadable ?? row
            return nil
        }
    }

    private mutating func add(_ candidate: Candidate) {
        add(candidate.reference, candidate.purpose, candidate.consent.map(ConsentStatus.inForce) ?? .erased)
    }

    /// Adds recipients who were tracked without a record, or only for the other activity of a message, and who still
    /// have no record.
    mutating func addTrackedUnasked(of organization: Int64, at now: Timestamp, _ db: any SQLConnection) throws {
        try db.longStatement(
            """
            SELECT r.reference, t.purpose FROM tracked_unasked t CROSS JOIN recipients r ON r.number = t.recipient
            WHERE t.organization = ?1 AND NOT EXISTS (
                SELECT 1 FROM consents c INDEXED BY consents_in_force
                WHERE c.organization = ?1 AND c.recipient = t.recipient AND c.purpose = t.purpose
                    AND c.occurred_at <= ?2
            )
            """
        ).forEach(organization, now) { row in
            add(try row.reference(0), row.integer(1), .nothing)
            return true
        }
    }

    private mutating func add(_ reference: RecipientReference, _ purpose: Int64, _ status: ConsentStatus) {
        if purpose == openTracking, status.endsTracking {
            refusedOpens.append(RecordingEnd(reference: reference, end: .distantPast))
        }
        guard let end = policy.recordingEnd(for: status) else { return }
        ends[purpose, default: []].append(RecordingEnd(reference: reference, end: end))
    }
}
