import SQL

extension SQLStatement {
    /// Runs an insert of one row that ends in `SQLDialect.returningNumber` and cannot skip the row.
    /// - Returns: the row's number.
    func newNumber<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int64 {
        guard let number = try newNumberUnlessThere(repeat each values) else { throw StorageError.unreadable }
        return number
    }
}
