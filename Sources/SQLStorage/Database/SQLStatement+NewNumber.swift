import SQL

extension SQLStatement {
    /// Runs an insert of one row that ends in `RETURNING` its number.
    func newNumber<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int64 {
        guard let number = try first(repeat each values, read: { $0.integer(0) }) else { throw StorageError.unreadable }
        return number
    }
}
