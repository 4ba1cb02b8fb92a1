import SQL

extension SQLStatement {
    /// Runs an insert of one row that ends in `RETURNING` its number.
    func newNumber<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int64 {
        guard let number = try newNumberUnlessThere(repeat each values) else { throw StorageError.unreadable }
        return number
    }

    /// The same for an insert that does nothing `ON CONFLICT`; `nil` for that.
    ///
    /// Runs the insert to its end: SQLite looks for what a new row refers to in the last step, after it has returned the
    /// row.
    func newNumberUnlessThere<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int64? {
        var number: Int64?
        try forEach(repeat each values) { row in
            number = row.integer(0)
            return true
        }
        return number
    }
}
