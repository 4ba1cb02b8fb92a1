import Organizations
import SQL

/// What an organization may use, and how much of it is used, as it stands in its row.
enum QuotasRow {
    static let columns = "quota_requests, quota_interactions"

    /// Reads ``columns``, which begin at `column`.
    static func read(_ row: SQLRow, from column: Int32) -> Quotas {
        Quotas(
            requestsPerMinute: row.optionalInteger(column).map { Int($0) },
            interactions: row.optionalInteger(column + 1).map { Int($0) }
        )
    }

    static func update(_ quotas: Quotas, of organization: Int64, _ db: any SQLConnection) throws {
        try db.statement("UPDATE organizations SET quota_requests = ?, quota_interactions = ? WHERE number = ?")
            .run(quotas.requestsPerMinute.map(Int64.init), quotas.interactions.map(Int64.init), organization)
    }

    /// Adds `count` to the number of stored interactions; it is negative when they are removed. Must be called in the
    /// write that stores or removes them.
    static func addStored(_ count: Int, of organization: Int64, _ db: any SQLConnection) throws {
        guard count != 0 else { return }
        try db.statement("UPDATE organizations SET interactions_stored = interactions_stored + ? WHERE number = ?")
            .run(count, organization)
    }

    static func stored(of organization: Int64, _ db: any SQLConnection) throws -> Int {
        try db.statement("SELECT interactions_stored FROM organizations WHERE number = ?")
            .first(organization) { Int($0.integer(0)) } ?? 0
    }
}
