import Identifiers
import SQL

/// What is forgotten of accesses: whom they were about and why, when the recipient is erased or the access is old. That
/// somebody looked, and who, stays: it stands in the ledger.
enum AccessForgetting {
    /// Cuts a recipient from every access to what was held about them. Their commitments must be kept already.
    /// - Returns: how many there were.
    static func forget(_ recipient: Int64, _ db: any SQLConnection) throws -> Int {
        try db.statement("UPDATE accesses SET recipient = NULL, reason = NULL, salt = NULL WHERE recipient = ?")
            .changes(recipient)
    }

    /// When the oldest access was recorded that retention has not yet passed.
    static func oldest(in organization: Int64, _ db: any SQLConnection) throws -> Timestamp? {
        let first = db.dialect.first("organization")
        return try db.statement(
            """
            SELECT id FROM accesses INDEXED BY accesses_by_organization
            WHERE \(first.condition) AND id > ? ORDER BY \(first.order)id LIMIT 1
            """
        ).first(organization, try newestForgotten(organization, db)) { try $0.id(0, AccessID.self).number.timestamp }
    }

    private static func newestForgotten(_ organization: Int64, _ db: any SQLConnection) throws -> Int64 {
        try db.statement("SELECT accesses_purged FROM organizations WHERE number = ?")
            .first(organization) { $0.integer(0) } ?? 0
    }

    /// One step of what age takes.
    struct Step {
        /// Which still say something. The other ones that are passed have lost it already.
        let named: [Int64]
        let isLast: Bool
        private let newest: Int64?

        init(of organization: Int64, before instant: Timestamp, limit: Int, _ db: any SQLConnection) throws {
            let first = db.dialect.first("organization")
            let found = try db.statement(
                """
                SELECT id, salt IS NOT NULL FROM accesses INDEXED BY accesses_by_organization
                WHERE \(first.condition) AND id > ? AND id < ? ORDER BY \(first.order)id LIMIT ?
                """
            ).all(
                organization, try AccessForgetting.newestForgotten(organization, db),
                Int64(TimeOrderedNumber.lowerBound(at: instant)), limit
            ) { (id: $0.integer(0), isNamed: $0.bool(1)) }
            named = found.filter(\.isNamed).map(\.id)
            newest = found.last?.id
            isLast = found.count < limit
        }

        /// To be called once the commitments are kept.
        func forget(in organization: Int64, _ db: any SQLConnection) throws {
            guard let newest else { return }
            let forget = try db.statement(
                "UPDATE accesses SET recipient = NULL, reason = NULL, salt = NULL WHERE id = ?")
            for id in named { try forget.run(id) }
            try db.statement("UPDATE organizations SET accesses_purged = ? WHERE number = ?").run(newest, organization)
        }
    }
}
