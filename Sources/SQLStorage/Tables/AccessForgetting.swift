import Identifiers
import SQL

/// Forgets whom accesses were about and why, when the recipient is erased or the access is old. It stays known that
/// there was a look, and who looked: the ledger has that.
enum AccessForgetting {
    /// Removes a recipient from every access to data about them. The caller must have kept the commitments before.
    /// - Returns: the number of these accesses.
    static func forget(_ recipient: Int64, _ db: any SQLConnection) throws -> Int {
        try db.statement("UPDATE accesses SET recipient = NULL, reason = NULL, salt = NULL WHERE recipient = ?")
            .changes(recipient)
    }

    /// The time of the oldest access that retention has not reached yet.
    static func oldest(in organization: Int64, _ db: any SQLConnection) throws -> Timestamp? {
        let first = db.dialect.first("organization")
        return try db.statement(
            """
            SELECT id FROM accesses INDEXED BY accesses_by_organization
            WHERE \(first.condition) AND id > ? ORDER BY \(first.order)id LIMIT 1
            """
        ).first(organization, try newestForgotten(organization, db)) { try $0.id(0, AccessID.self).number.timestamp }
    }

    /// The newest access that retention has reached; 0 for none.
    static func newestForgotten(_ organization: Int64, _ db: any SQLConnection) throws -> Int64 {
        try db.statement("SELECT accesses_purged FROM organizations WHERE number = ?")
            .first(organization) { $0.integer(0) } ?? 0
    }

    /// One step of forgetting old accesses.
    struct Step {
        /// The accesses that still name a recipient. The others of this step have lost their names already.
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

        /// The caller must have kept the commitments before.
        func forget(in organization: Int64, _ db: any SQLConnection) throws {
            guard let newest else { return }
            let forget = try db.statement(
                "UPDATE accesses SET recipient = NULL, reason = NULL, salt = NULL WHERE id = ?")
            for id in named { try forget.run(id) }
            try db.statement("UPDATE organizations SET accesses_purged = ? WHERE number = ?").run(newest, organization)
        }
    }
}
