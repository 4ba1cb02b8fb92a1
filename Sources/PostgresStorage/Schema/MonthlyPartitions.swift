import Identifiers
import PostgresClient
import SQL

/// The partitions of the logs, one for each month in UTC.
///
/// A partition must exist before its month begins: rows without one go into the default partition, and no partition can
/// be made for a month that has rows there.
enum MonthlyPartitions {
    /// The partitioned tables.
    static let logs = ["decisions", "interactions"]
    /// For how many months ahead partitions are made.
    private static let monthsAhead = 3
    /// The wait for another node that makes partitions or changes the schema. No other transaction waits behind this
    /// one meanwhile.
    private static let turnTimeout = "5s"
    private static let tableTimeout = "200ms"

    /// Makes the missing partitions from this month on. The connection must be in no transaction and must not hold the
    /// row of the writer.
    ///
    /// A new partition needs an exclusive lock on the default partition for a moment. The lock waits for every
    /// transaction that reads the log, such as a dump, and later transactions wait behind it. So it gives up soon:
    /// there are months to try again.
    /// - Throws: `PostgresError` with the code 55P03 if the log is being read.
    static func make(now: Timestamp, _ connection: PostgresConnection) throws {
        for log in logs where try !missing(log, from: now, now: now, connection).isEmpty {
            try connection.begin()
            do {
                try connection.statement("SET LOCAL lock_timeout = '\(turnTimeout)'").run()
                try connection.statement("SELECT pg_advisory_xact_lock(?)").run(PostgresSchema.lock)
                try connection.statement("SET LOCAL lock_timeout = '\(tableTimeout)'").run()
                // The lock is held until the commit, so the commit must not wait for a standby. A lost partition is
                // made again.
                try connection.statement("SET LOCAL synchronous_commit = local").run()
                try make(log, from: now, now: now, connection)
                try connection.commit()
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    /// Makes the missing partitions from the month of `first` on, inside a transaction. Waits for transactions that
    /// read the logs.
    static func make(from first: Timestamp, now: Timestamp, _ db: any SQLConnection) throws {
        for log in logs { try make(log, from: first, now: now, db) }
    }

    private static func make(_ log: String, from first: Timestamp, now: Timestamp, _ db: any SQLConnection) throws {
        for month in try missing(log, from: first, now: now, db) {
            try db.statement(
                """
                CREATE TABLE \(log)_\(month) PARTITION OF \(log)
                FOR VALUES FROM (\(month.ids.lowerBound)) TO (\(month.ids.upperBound))
                """
            ).run()
        }
    }

    /// The months that have no partition and can have one.
    private static func missing(
        _ log: String, from first: Timestamp, now: Timestamp, _ db: any SQLConnection
    ) throws -> [Month] {
        let made = Set(
            try db.statement(
                "SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = ?::regclass"
            ).all(log) { $0.text(0) })
        var months: [Month] = []
        var month = Month(of: min(first, now))
        let last = Month(of: now).advanced(by: monthsAhead)
        while month <= last {
            if !made.contains("\(log)_\(month)"), try !restHasRows(of: month, log, db) { months.append(month) }
            month = month.advanced(by: 1)
        }
        return months
    }

    private static func restHasRows(of month: Month, _ log: String, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM \(log)_rest WHERE id >= ? AND id < ? LIMIT 1")
            .first(month.ids.lowerBound, month.ids.upperBound) { _ in true } ?? false
    }

    /// A month in UTC, written as in `2026_11`.
    struct Month: Comparable, CustomStringConvertible {
        /// Months since January of the year 0.
        private let number: Int

        private init(number: Int) { self.number = number }

        init(of instant: Timestamp) {
            // The format is 2026-11-22T…
            let parts = instant.rfc3339.split(separator: "-").prefix(2).compactMap { Int($0) }
            number = parts.count == 2 ? parts[0] * 12 + parts[1] - 1 : 1970 * 12
        }

        /// The month of a partition; `nil` if it is the default one, or none of that log.
        init?(ofPartition name: String, of log: String) {
            let parts = name.split(separator: "_").compactMap { Int($0) }
            guard parts.count == 2, 1...12 ~= parts[1], 0...9999 ~= parts[0] else { return nil }
            number = parts[0] * 12 + parts[1] - 1
            guard name == "\(log)_\(self)" else { return nil }
        }

        /// The ids of all rows of the month.
        var ids: Range<Int64> { firstID..<max(firstID, advanced(by: 1).firstID) }

        func advanced(by months: Int) -> Month { Month(number: number + months) }

        /// The least id of a row of the month; every id of an earlier month is less.
        var firstID: Int64 {
            let day = description.replacing("_", with: "-") + "-01T00:00:00Z"
            guard let instant = try? Timestamp(rfc3339: day) else { return .max }
            return Int64(TimeOrderedNumber.lowerBound(at: instant))
        }

        var description: String {
            let month = number % 12 + 1
            return "\(number / 12)_\(month < 10 ? "0" : "")\(month)"
        }

        static func < (one: Month, other: Month) -> Bool { one.number < other.number }
    }
}
