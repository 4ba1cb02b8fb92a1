import Consent
import Identifiers
import SQL

/// The changes of an organization's enforcement, which are appended and never changed.
enum EnforcementRow {
    static func insert(_ enforcement: Enforcement, of organization: Int64, at now: Timestamp, _ db: any SQLConnection)
        throws
    {
        try db.statement("INSERT INTO enforcements (organization, since, enforcement) VALUES (?, ?, ?)")
            .run(organization, now, enforcement.code)
    }

    static func history(of organization: Int64, _ db: any SQLConnection) throws -> EnforcementHistory? {
        let changes = try db.statement(
            "SELECT enforcement, since FROM enforcements WHERE organization = ? ORDER BY number"
        ).all(organization) { row in
            EnforcementHistory.Change(try Enforcement(code: row.integer(0)), since: row.timestamp(1))
        }
        return EnforcementHistory(changes)
    }
}
