import GRDB
import Organizations

/// How long an organization keeps things, as it stands in its row.
enum RetentionRow {
    static func find(_ organization: Int64, _ db: Database) throws -> Retention {
        let kept = try db.statement("SELECT interactions_days, decisions_days FROM organizations WHERE number = ?")
            .first(organization) { row in
                Retention(
                    interactionsDays: row.optionalInteger(0).map { Int($0) },
                    decisionsDays: row.optionalInteger(1).map { Int($0) }
                )
            }
        guard let kept else { throw StorageError.unknownOrganization }
        return kept
    }

    static func update(_ retention: Retention, of organization: Int64, _ db: Database) throws {
        try db.statement("UPDATE organizations SET interactions_days = ?, decisions_days = ? WHERE number = ?")
            .run(retention.interactionsDays.map(Int64.init), retention.decisionsDays.map(Int64.init), organization)
    }
}
