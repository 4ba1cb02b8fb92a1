import SQL

extension SQLStatement {
    /// The same for a statement that inserts a row in every case.
    func newNumber<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int64 {
        guard let number = try newNumberUnlessThere(repeat each values) else { throw StorageError.unreadable }
        return number
    }
}
