import Consent
import Identifiers
import SQL

/// Forgets whom a consent request asked, when the recipient is erased; and whole consent requests, when they are old.
enum ConsentRequestForgetting {
    /// Removes a recipient from every request. The request stays, and cannot be answered any more.
    static func forget(_ recipient: Int64, _ db: any SQLConnection) throws {
        let notices = try db.statement("SELECT DISTINCT notice FROM consent_requests WHERE recipient = ?")
            .all(recipient) { $0.integer(0) }
        try db.statement(
            """
            UPDATE consent_request_purposes SET recipient = NULL, pressed = NULL, recorded = NULL, consent = NULL,
                records = 0
            WHERE recipient = ?
            """
        ).run(recipient)
        try db.statement("UPDATE consent_requests SET recipient = NULL, confirmation_place = NULL WHERE recipient = ?")
            .run(recipient)
        for notice in notices { try NoticeRow.forget(notice, db) }
    }

    /// For how many days an organization's requests are kept: as long as one of them can keep it from asking again.
    static func daysKept(in organization: Int64, _ db: any SQLConnection) throws -> Int {
        let days = try db.statement("SELECT ask_again_days FROM organizations WHERE number = ?")
            .first(organization) { try RetentionRow.days($0.integer(0)) }
        return max(days ?? 0, AskingPause.standardDays, ConsentRequest.lifetimeInDays)
    }

    /// When the oldest request of an organization was made.
    static func oldest(in organization: Int64, _ db: any SQLConnection) throws -> Timestamp? {
        let first = db.dialect.first("organization")
        return try db.statement(
            "SELECT made_at FROM consent_requests WHERE \(first.condition) ORDER BY \(first.order)id LIMIT 1"
        ).first(organization) { $0.timestamp(0) }
    }

    /// Removes requests made before `instant`, the oldest first.
    /// - Returns: the number of removed requests, at most `limit`.
    static func remove(from organization: Int64, before instant: Timestamp, limit: Int, _ db: any SQLConnection) throws
        -> Int
    {
        let end = Int64(TimeOrderedNumber.lowerBound(at: instant))
        let first = db.dialect.first("organization")
        let old = try db.statement(
            """
            SELECT id, notice FROM consent_requests
            WHERE \(first.condition) AND id < ? ORDER BY \(first.order)id LIMIT ?
            """
        ).all(organization, end, limit) { (id: $0.integer(0), notice: $0.integer(1)) }
        let removePurposes = try db.statement("DELETE FROM consent_request_purposes WHERE request = ?")
        let remove = try db.statement("DELETE FROM consent_requests WHERE id = ?")
        for row in old {
            try removePurposes.run(row.id)
            try remove.run(row.id)
        }
        for notice in Set(old.map(\.notice)) { try NoticeRow.forget(notice, db) }
        return old.count
    }
}
