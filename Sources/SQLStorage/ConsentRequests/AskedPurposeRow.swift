import Consent
import Identifiers
import SQL

/// Reads and writes the purposes of a consent request.
enum AskedPurposeRow {
    /// The last record that was stored when a request was made, or the last record that came of the request. It keeps
    /// an older answer from outranking a later one.
    ///
    /// A record counts as later if it was committed after the request, or after the last record that came of the
    /// request. There are two exceptions, for records of something that was said earlier and reported late: a late yes
    /// never counts as later; a late no does not if the request's own answer was yes. That yes is then in force, and
    /// the recipient must be able to take it back.
    struct Boundary {
        /// The greatest id of a consent record at that time.
        let record: Int64
        let moment: Timestamp
    }

    /// Whether the purpose `p` of a request of the organization `?2` has a record from its boundary on. No record is
    /// dated later than it is stored, so the range has few records that are stored before the boundary.
    private static let hasLaterRecord = """
        EXISTS (SELECT 1 FROM consents c INDEXED BY consents_in_force
            WHERE c.organization = ?2 AND c.recipient = p.recipient AND c.purpose = p.purpose
                AND c.occurred_at >= p.later_from AND c.id > p.later_than)
        """

    /// Whether `p` has a no of any date that is stored after its boundary. The state of a record decides, not
    /// `ends_tracking`, as in ``InForceLookup``. The index has the same condition.
    private static let hasLateNo = """
        EXISTS (SELECT 1 FROM consents c INDEXED BY consents_not_given
            WHERE c.organization = ?2 AND c.recipient = p.recipient AND c.purpose = p.purpose
                AND c.id > p.later_than AND c.state <> \(ConsentState.given.code))
        """

    static func insert(
        _ purpose: Int64, at position: Int, of request: ConsentRequestID, recipient: Int64, _ boundary: Boundary,
        _ db: any SQLConnection
    ) throws {
        try db.statement(
            """
            INSERT INTO consent_request_purposes (request, position, recipient, purpose, later_than, later_from)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ).run(request, position, recipient, purpose, boundary.record, boundary.moment)
    }

    static func all(of request: ConsentRequestID, _ organization: Int64, _ db: any SQLConnection) throws
        -> [AskedPurpose]
    {
        try db.statement(
            """
            SELECT n.name, p.pressed, p.recorded, p.consent,
                EXISTS (SELECT 1 FROM consent_request_purposes newer
                    WHERE newer.recipient = p.recipient AND newer.purpose = p.purpose AND newer.request > p.request),
                \(hasLaterRecord) OR (p.recorded IS DISTINCT FROM ?3 AND \(hasLateNo)),
                p.records
            FROM consent_request_purposes p JOIN purposes n ON n.number = p.purpose
            WHERE p.request = ?1 ORDER BY p.position
            """
        ).all(request, organization, ConsentState.given.code) { row in
            AskedPurpose(
                purpose: try row.purpose(0), lastAnswer: try answer(row.optionalInteger(1)),
                recorded: try answer(row.optionalInteger(2)), record: try row.optionalID(3),
                recordCount: Int(row.integer(6)),
                closing: row.bool(5) ? .laterAnswer : row.bool(4) ? .newerRequest : nil)
        }
    }

    static func press(
        _ answer: ConsentAnswer, for purpose: Int64, of request: ConsentRequestID, _ db: any SQLConnection
    ) throws {
        try db.statement("UPDATE consent_request_purposes SET pressed = ? WHERE request = ? AND purpose = ?")
            .run(answer.state.code, request, purpose)
    }

    /// The new record becomes the boundary, because it came of the request itself.
    static func record(
        _ answer: ConsentAnswer, as record: ConsentRecord, for purpose: Int64, of request: ConsentRequestID,
        _ db: any SQLConnection
    ) throws {
        try db.statement(
            """
            UPDATE consent_request_purposes SET pressed = ?1, recorded = ?1, consent = ?2, later_than = ?2,
                later_from = ?3, records = records + 1
            WHERE request = ?4 AND purpose = ?5
            """
        ).run(answer.state.code, record.id, record.occurredAt, request, purpose)
    }

    /// The time of the last request that asked a recipient about a purpose; `nil` if it was answered, on its page or
    /// elsewhere.
    ///
    /// An answer to a request also answers the requests before it, because boundaries rise with the requests. So the
    /// earlier ones are not read.
    static func lastUnanswered(
        purpose: Int64, recipient: Int64, organization: Int64, _ db: any SQLConnection
    ) throws -> Timestamp? {
        try db.statement(
            """
            SELECT q.made_at FROM (
                SELECT request, recipient, purpose, recorded, later_than, later_from FROM consent_request_purposes
                WHERE recipient = ?1 AND purpose = ?3 ORDER BY request DESC LIMIT 1
            ) p JOIN consent_requests q ON q.id = p.request
            WHERE p.recorded IS NULL AND NOT \(hasLaterRecord) AND NOT \(hasLateNo)
            """
        ).first(recipient, organization, purpose) { $0.timestamp(0) }
    }

    private static func answer(_ code: Int64?) throws -> ConsentAnswer? {
        guard let code else { return nil }
        let state = try ConsentState(code: code)
        guard let answer = ConsentAnswer.allCases.first(where: { $0.state == state }) else {
            throw StorageError.unreadable
        }
        return answer
    }
}
