import SQL

/// The volumes of a log: runs of rows that were written one after another.
///
/// An index of a log by recipient alone would be written to in all places: one page for each row, once recipients have
/// histories. An index by volume and recipient is written to only in its last volume. Finding a recipient takes one
/// step for each volume; a hundred million rows have a few thousand volumes.
struct LogVolumes {
    /// The logs that have volumes, by their tables. Each has a column `volume` that an index begins with.
    enum Log: String, CaseIterable {
        case decisions
        case interactions
    }

    static let rowsPerVolume: Int64 = 32_768

    /// The volume that rows are written to.
    private var current: Int64
    /// The number of its rows; `nil` if the volume takes any number.
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

    /// Returns the volume for one more row. If the row is not written after all, the volume is shorter, which does no
    /// harm.
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

    /// All volumes of a log that have rows, the oldest first. Takes one step in the index for each, even if their
    /// numbers are far apart.
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

    /// The volume of the last row that was written.
    static func last(of log: Log, _ db: any SQLConnection) throws -> Int64 {
        guard db.dialect.keepsVolumes else { return 1 }
        let last = try db.statement("SELECT max(volume) FROM \(log.rawValue)").first { $0.optionalInteger(0) } ?? nil
        return max(last ?? 1, 1)
    }
}
