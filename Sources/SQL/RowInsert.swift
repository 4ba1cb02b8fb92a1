/// Inserts rows into one table. An engine that has lists (``SQLDialect/hasLists``) gets many of them with one statement,
/// which costs it a fraction of one statement for each.
///
///     let insert = try db.rows("INSERT INTO tags (message, tag) VALUES (?, ?)")
///     for tag in tags { try insert.add(message, tag) }
///     try insert.finish()
///
/// A row is there once ``finish()`` has returned; it may be there before. What reads the table before that may not see it.
@usableFromInline
package struct RowInsert {
    @usableFromInline package let statement: SQLStatement

    package init(_ statement: SQLStatement) { self.statement = statement }

    @inlinable
    package func add<each Value: SQLBindable>(_ values: repeat each Value) throws {
        defer { statement.prepared.reset() }
        try statement.bind(repeat each values)
        try statement.prepared.addRow()
    }

    /// Sends the rows that were not sent yet.
    @inlinable
    package func finish() throws { try statement.prepared.finishRows() }
}
