import Identifiers
import Ledger
import SQL

/// The latest time that is stored in the database: the clock must not show an earlier one.
///
/// Records carry the time of their id or an earlier one, and so do the records in force and the requests that made
/// them. The time of an erasure or of a purge is only in its entry of the ledger.
enum LatestTime {
    static func read(_ db: any SQLConnection) throws -> Timestamp {
        let ids = try (WriteContext.EntityKind.allCases.map(\.rawValue) + ["interactions"]).compactMap { table in
            try WriteContext.greatestNumber(in: table, db)?.timestamp
        }
        // A time that no clock of this service shows was forged. The ledger checks the row that has it.
        let end = Timestamp(millisecondsSince1970: ServiceTime.end / 1_000_000)
        let others = try ["SELECT max(since) FROM enforcements", "SELECT max(made_at) FROM requests"].compactMap {
            query in
            try db.statement(query).first { $0.optionalTimestamp(0) } ?? nil
        }
        let event =
            try db.statement("SELECT entry FROM ledger_events ORDER BY number DESC LIMIT 1")
            // `nil` for an entry that was changed; the check of the ledger reports it.
            .first { StoredEvent($0.bytes(0))?.instant } ?? nil
        // A position is made when its interaction is stored, which may be long after its id was made.
        let position = try WriteContext.greatestPosition(db)?.timestamp
        let times = (others + [event].compactMap(\.self)).filter { $0 < end }
        return (ids + times + [position].compactMap(\.self)).max() ?? .distantPast
    }
}
