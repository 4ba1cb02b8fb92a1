import Organizations
import SQL

/// The quotas of an organization and how much of them is used, as they stand in its row.
enum QuotasRow {
    static let columns = "quota_requests, quota_interactions"

    /// Reads ``columns``, which begin at `column`. A quota outside the allowed range is replaced by the nearest allowed
    /// one.
    static func read(_ row: SQLRow, from column: Int32) -> Quotas {
        Quotas(
            requestsPerMinute: row.optionalInteger(column).map(bounded),
            interactions: row.optionalInteger(column + 1).map(bounded)
        )
    }

    private static func bounded(_ stored: Int64) -> Int {
        min(max(Int(stored), Quotas.allowed.lowerBound), Quotas.allowed.upperBound)
    }

    static func update(_ quotas: Quotas, of organization: Int64, _ db: any SQLConnection) throws {
        try db.statement("UPDATE organizations SET quota_requests = ?, quota_interactions = ? WHERE number = ?")
            .run(quotas.requestsPerMinute.map(Int64.init), quotas.interactions.map(Int64.init), organization)
    }

    /// Adds `count` to the number of stored interactions; it is negative when they are removed. Must be called in the
    /// write that stores or removes them.
    static func addStored(_ count: Int, of organization: Int64, _ db: any SQLConnection) throws {
        guard count != 0 else { return }
        let stored = KeptCount.bounded("organizations.interactions_stored", in: db.dialect)
        try db.statement("UPDATE organizations SET interactions_stored = \(stored) + ? WHERE number = ?")
            .run(count, organization)
    }

    /// A count that is missing is the greatest one, which the next addition makes of it on PostgreSQL.
    static func stored(of organization: Int64, _ db: any SQLConnection) throws -> Int {
        try db.statement(stored).first(organization) { KeptCount.read($0.optionalInteger(0) ?? .max) } ?? 0
    }

    /// Whether the organization has a count of stored interactions.
    static func isCounted(_ organization: Int64, _ db: any SQLConnection) throws -> Bool {
        try db.statement(stored).first(organization) { !$0.isNull(0) } ?? false
    }

    private static let stored = "SELECT interactions_stored FROM organizations WHERE number = ?"
}
