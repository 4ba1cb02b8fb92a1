import Ledger
import SQL

/// How many rows the entries about erasures and retention account for.
enum EnteredCount {
    /// - Returns: the sum over the entries that have the count. An entry that was changed and has no number there
    ///   counts as 0, and a row that is in no run is no entry.
    static func sum(of count: StoredEvent.Count, in organization: Int64, _ db: any SQLConnection) throws -> Int64 {
        try db.statement(
            """
            SELECT entry FROM ledger_events
            WHERE organization = ? AND \(db.dialect.bytes("entry", contain: count.text)) AND number <= (
                SELECT CASE WHEN r.organization = ledger_events.organization THEN r.last_id END FROM ledger_runs r
                WHERE r.kind = ? AND r.first_id <= ledger_events.number ORDER BY r.first_id DESC LIMIT 1
            )
            """
        ).all(organization, LedgerKind.event) { row -> Int64 in StoredEvent(row.bytes(0))?.count(count) ?? 0 }.reduce(
            0, &+)
    }
}
