import SQL

/// The volumes of a log: runs of rows that were written one after the other.
///
/// An index of a log by person alone would be written to everywhere: one page for each row, once people have histories.
/// An index by volume and person is written to in its last volume only. Finding a person takes a step for each volume;
/// a hundred million rows have a few thousand volumes.
struct LogVolumes {
    /// The logs that are kept in volumes, by their tables. Each has a column `volume` that an index begins with.
    enum Log: String, CaseIterable {
        case decisions
        case interactions
    }

    static let rowsPerVolume: Int64 = 32_768

    /// The volume that rows are written to.
    private var current: Int64
    /// How many rows it has; `nil` where it takes any number.
    private var rows: Int64?

    init(of log: Log, _ db: any SQLConnection) throws {
        guard db.dialect.keepsVolumes else {
            (current, rows) = (1, nil)
            return
        }
        current = try Self.last(of: log, db)
        rows =
            try db.statement("SELECT count(*) FROM \(log.rawValue) WHERE volume = ?")
            .first(current) { $0.integer(0) } ?? 0
    }

    /// The volume of one more row. (If the row is not written after all, the volume is shorter, which does no harm.)
    mutating func next() -> Int64 {
        guard let rows else { return current }
        guard rows < Self.rowsPerVolume, current < .max else {
            current = min(current, .max - 1) + 1
            self.rows = 1
            return current
        }
        self.rows = rows + 1
        return current
    }

    /// All volumes of a log that have rows, the oldest first. Costs a step in the index for each, whatever their numbers
    /// are.
    static func all(of log: Log, _ db: any SQLConnection) throws -> [Int64] {
        guard db.dialect.keepsVolumes else { return [1] }
        return try db.statement(
            """
            WITH RECURSIVE found (volume) AS (
                SELECT min(volume) FROM \(log.rawValue)
                UNION ALL
                SELECT (SELECT min(volume) FROM \(log.rawValue) WHERE volume > found.volume)
                FROM found WHERE found.volume IS NOT NULL
            )
            SELECT volume FROM found WHERE volume IS NOT NULL
            """
        ).all { $0.integer(0) }
    }

    /// The volume that was written to last.
    static func last(of log: Log, _ db: any SQLConnection) throws -> Int64 {
        guard db.dialect.keepsVolumes else { return 1 }
        return max(try db.statement("SELECT max(volume) FROM \(log.rawValue)").first { $0.integer(0) } ?? 1, 1)
    }
}
