import Identifiers
import Organizations
import SQL

/// How long an organization keeps things, as it stands in its row.
enum RetentionRow {
    static let columns = "interactions_days, decisions_days"

    /// Reads ``columns``, which begin at `column`.
    /// - Throws: ``StorageError/unreadable`` for a number that no organization can have.
    static func read(_ row: SQLRow, from column: Int32) throws -> Retention {
        Retention(
            interactionsDays: try row.optionalInteger(column).map(days),
            decisionsDays: try row.optionalInteger(column + 1).map(days)
        )
    }

    /// - Throws: ``StorageError/unreadable`` for a number that no organization can have.
    static func days(_ value: Int64) throws -> Int {
        guard (0...Int64(Int32.max)).contains(value) else { throw StorageError.unreadable }
        return Int(value)
    }

    static func find(_ organization: Int64, _ db: any SQLConnection) throws -> Retention {
        let kept = try db.statement("SELECT \(columns) FROM organizations WHERE number = ?")
            .first(organization) { try read($0, from: 0) }
        guard let kept else { throw RowError.unknownOrganization }
        return kept
    }

    /// The newest decision that retention has reached; the next step begins behind it.
    static func newestForgottenDecision(_ organization: Int64, _ db: any SQLConnection) throws -> DecisionID? {
        try db.statement("SELECT decisions_purged FROM organizations WHERE number = ?")
            .first(organization) { $0.integer(0) }
            .flatMap { UInt64(exactly: $0) }.flatMap { DecisionID(rawValue: $0) }
    }

    /// Stores the greatest id that a step has deleted, and makes the value greater in any case: a step follows the
    /// positions, and what was stored late has a late position and an early id. Each step must change
    /// ``ForgettingState``.
    static func storePurged(_ interaction: Int64, of organization: Int64, _ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE organizations SET interactions_purged =
                CASE WHEN interactions_purged < ?1 THEN ?1 ELSE interactions_purged + 1 END
            WHERE number = ?2 AND interactions_purged < ?3
            """
        ).run(interaction, organization, Int64.max)
    }

    static func update(_ retention: Retention, of organization: Int64, _ db: any SQLConnection) throws {
        try db.statement("UPDATE organizations SET interactions_days = ?, decisions_days = ? WHERE number = ?")
            .run(retention.interactionsDays.map(Int64.init), retention.decisionsDays.map(Int64.init), organization)
    }
}
