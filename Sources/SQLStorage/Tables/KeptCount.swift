import SQL

/// A count as it is stored. What somebody wrote into the database must neither end the process nor stop what is counted: a
/// value that no service has counted is taken for the nearest that one could have.
enum KeptCount {
    /// Ten thousand such counts can be added up.
    static let greatest: Int64 = 1 << 48

    static func read(_ stored: Int64) -> Int { Int(min(max(stored, 0), greatest)) }

    /// In SQL, of a column of the row that is updated. Beyond the range of integers SQLite goes on with floating point,
    /// which the column refuses.
    /// - Parameter column: with its table.
    static func bounded(_ column: String, in dialect: SQLDialect) -> String {
        dialect.greatest("0", dialect.least(column, "\(greatest)"))
    }

    /// In SQL, of a count that is kept to be compared alone: behind the greatest one it begins again, so that adding 1
    /// changes it whatever is stored.
    static func beginningAgain(_ column: String) -> String { "(\(column) & \(greatest - 1))" }

    /// Of a count that changes are added up of, which may be below 0.
    static func readChange(_ stored: Int64) -> Int { Int(min(max(stored, -greatest), greatest)) }

    /// The same in SQL, as ``bounded(_:in:)``.
    static func boundedChange(_ column: String, in dialect: SQLDialect) -> String {
        dialect.greatest("-\(greatest)", dialect.least(column, "\(greatest)"))
    }
}
