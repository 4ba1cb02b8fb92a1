/// The parts of shared statements that are hints for SQLite's query planner only.
enum SQLiteHints {
    /// The statement without the hints: `INDEXED BY name`, `NOT INDEXED`, the `CROSS` of a join with a condition, and a
    /// plus before a column.
    static func removed(from sql: String) -> String {
        sql.replacing(/INDEXED BY \w+|NOT INDEXED/, with: "")
            .replacing(/CROSS JOIN(?=\s+\w+(?:\s+\w+)?\s+ON\b)/, with: "JOIN")
            .replacing(/= \+(?=[a-z])/, with: "= ")
    }
}
