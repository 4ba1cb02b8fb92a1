import Ledger
import SQL

/// How many rows the entries about erasures and retention account for.
enum EnteredCount {
    /// Reads only the events of this organization, which its runs name. The table has those of all organizations.
    /// - Returns: the sum over the entries that have the count. An entry that was changed and has no number there
    ///   counts as 0, and a row that is in no run is no entry: the last run that begins at it or before must have it.
    static func sum(of count: StoredEvent.Count, in organization: Int64, _ db: any SQLConnection) throws -> Int64 {
        let events = db.dialect.joinRange(
            of: "ledger_events", as: "e",
            where: """
                number BETWEEN r.first_id AND r.last_id AND \(db.dialect.bytes("entry", contain: count.text))
                """)
        let (event, isInFeed) = (LedgerKind.event.rawValue, LedgerKind.isInConsentFeed("r.kind"))
        return try db.statement(
            """
            SELECT e.entry FROM ledger_runs r INDEXED BY ledger_runs_of_changes \(events)
            WHERE r.organization = ?1 AND \(isInFeed) AND r.kind = \(event)
                AND e.organization = ?1 AND NOT EXISTS (
                    SELECT 1 FROM ledger_runs s
                    WHERE s.kind = \(event) AND s.first_id > r.first_id AND s.first_id <= e.number
                )
            """
        ).all(organization) { StoredEvent($0.bytes(0))?.count(count) ?? 0 }.reduce(0, &+)
    }
}
