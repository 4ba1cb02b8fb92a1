import SQL

/// A count as it is stored. A value that was forged in the database must neither end the process nor stop the counting,
/// so a value outside the possible range is replaced by the nearest possible one.
enum KeptCount {
    /// Ten thousand such counts can be added without an overflow.
    static let maximum: Int64 = 1 << 48

    static func read(_ stored: Int64) -> Int { Int(min(max(stored, 0), maximum)) }

    /// In SQL, for a column of the row that is updated. Without it, SQLite would turn a sum beyond the range of
    /// integers into a floating-point number, which the column refuses.
    /// - Parameter column: with the name of its table.
    static func bounded(_ column: String, in dialect: SQLDialect) -> String {
        dialect.greatest("0", dialect.least(column, "\(maximum)"))
    }

    /// In SQL, for a count that is only compared with itself: it wraps around after the maximum value, so that adding 1
    /// changes every stored value.
    static func beginningAgain(_ column: String) -> String { "(\(column) & \(maximum - 1))" }

    /// Reads the sum of changes, which may be below 0.
    static func readChange(_ stored: Int64) -> Int { Int(min(max(stored, -maximum), maximum)) }

    /// The expression in SQL that keeps a sum of changes in the bounds of ``readChange(_:)``.
    static func boundedChange(_ column: String, in dialect: SQLDialect) -> String {
        dialect.greatest("-\(maximum)", dialect.least(column, "\(maximum)"))
    }
}
