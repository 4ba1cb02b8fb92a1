import Consent
import Identifiers
import Interactions
import SQL

/// How many decisions an organization made on each day, by reason.
enum DecisionDayTable {
    static func add(
        _ days: [CalendarDay: [DecisionReason: Int64]], of organization: Int64, _ db: any SQLConnection
    ) throws {
        let add = try db.statement(
            """
            INSERT INTO decision_days (organization, day, reason, count) VALUES (?, ?, ?, ?)
            ON CONFLICT (organization, day, reason)
                DO UPDATE SET count = \(KeptCount.bounded("decision_days.count", in: db.dialect)) + excluded.count
            """
        )
        for (day, counts) in days {
            for (reason, count) in counts { try add.run(organization, day.number, reason.code, count) }
        }
    }

    static func counts(
        of organization: Int64, on days: Range<Int64>, _ db: any SQLConnection
    ) throws -> [CalendarDay: [DecisionReason: Int]] {
        var counts: [CalendarDay: [DecisionReason: Int]] = [:]
        try db.statement(
            "SELECT day, reason, count FROM decision_days WHERE organization = ? AND day >= ? AND day < ?"
        ).forEach(organization, days.lowerBound, days.upperBound) { row in
            counts[CalendarDay(number: row.integer(0)), default: [:]][try DecisionReason(code: row.integer(1))] =
                KeptCount.read(row.integer(2))
            return true
        }
        return counts
    }
}
