import Ledger
import SQL

/// How many rows the entries about erasures and retention account for.
enum EnteredCount {
    /// - Returns: the sum over the entries that have the count. An entry that was changed and has no number there
    ///   counts as 0.
    static func sum(of count: StoredEvent.Count, in organization: Int64, _ db: any SQLConnection) throws -> Int64 {
        try db.statement(
            """
            SELECT entry FROM ledger_events
            WHERE organization = ? AND \(db.dialect.bytes("entry", contain: count.text))
            """
        ).all(organization) { row -> Int64 in StoredEvent(row.bytes(0))?.count(count) ?? 0 }.reduce(0, &+)
    }
}
