import Identifiers
import Interactions
import SQL

/// The stored counts of the interactions with messages.
enum ActivityTable {
    /// Adds to the counts of messages, inside a write.
    static func add(_ counts: [MessageID: ActivityCounts], _ db: any SQLConnection) throws {
        let add = try db.rows(
            """
            INSERT INTO activity_counts (message, series, key, total, people, automated, suspected)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (message, series, key) DO UPDATE SET
                total = \(KeptCount.bounded("activity_counts.total", in: db.dialect)) + excluded.total,
                people = \(KeptCount.bounded("activity_counts.people", in: db.dialect)) + excluded.people,
                automated = \(KeptCount.bounded("activity_counts.automated", in: db.dialect)) + excluded.automated,
                suspected = \(KeptCount.bounded("activity_counts.suspected", in: db.dialect)) + excluded.suspected
            """
        )
        for (message, counts) in counts {
            for (counter, tally) in counts.tallies {
                let (series, key) = counter.code
                try add.add(message, series, key, tally.total, tally.people, tally.automated, tally.suspected)
            }
        }
        try add.finish()
    }

    private static let columns = "series, key, total, people, automated, suspected"
    /// The series of ``ActivityCounter/kind(_:)``, ``ActivityCounter/opens(_:)`` and ``ActivityCounter/uncounted``.
    private static let sumSeries = "1, 3, 8"

    static func counts(of message: MessageID, _ db: any SQLConnection) throws -> ActivityCounts {
        var counts = ActivityCounts()
        try db.statement("SELECT \(columns) FROM activity_counts WHERE message = ?").forEach(message) { row in
            if let (counter, tally) = read(row) { counts[counter] = tally }
            return true
        }
        return counts
    }

    /// The counts of several messages. Messages without interactions are left out.
    static func counts(of messages: [MessageID], _ db: any SQLConnection) throws -> [MessageID: ActivityCounts] {
        try counts(of: messages, db) { "message \($0)" }
    }

    /// The counts of whole messages: by kind, by the visitor that opened, and whether some recipients were not counted;
    /// without links, days and hours.
    static func sums(of messages: [MessageID], _ db: any SQLConnection) throws -> [MessageID: ActivityCounts] {
        try counts(of: messages, db) { "message \($0) AND series IN (\(sumSeries))" }
    }

    private static func counts(
        of messages: [MessageID], _ db: any SQLConnection, where condition: (String) -> String
    ) throws -> [MessageID: ActivityCounts] {
        var counts: [MessageID: ActivityCounts] = [:]
        try db.forEachRow(of: messages) {
            "SELECT \(columns), message FROM activity_counts WHERE \(condition($0))"
        } visit: { row in
            let message: MessageID = try row.id(6)
            if let (counter, tally) = read(row) { counts[message, default: ActivityCounts()][counter] = tally }
        }
        return counts
    }

    /// - Returns: `nil` for a row that no version of the service writes. Such a row must not make a report fail.
    private static func read(_ row: SQLRow) -> (ActivityCounter, ActivityTally)? {
        guard let counter = ActivityCounter(series: row.integer(0), key: row.integer(1)) else { return nil }
        let tally = ActivityTally(
            total: KeptCount.read(row.integer(2)), people: KeptCount.read(row.integer(3)),
            automated: KeptCount.read(row.integer(4)), suspected: KeptCount.read(row.integer(5)))
        return (counter, tally)
    }
}
