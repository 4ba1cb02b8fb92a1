/// Inserts rows into one table. An engine with lists (``SQLDialect/hasLists``) gets many of them with one statement,
/// which costs a fraction of single statements.
///
///     let insert = try db.rows("INSERT INTO tags (message, tag) VALUES (?, ?)")
///     for tag in tags { try insert.add(message, tag) }
///     try insert.finish()
///
/// A row is in the table when ``finish()`` has returned; it may be there before. A statement that reads the table
/// before that may not see it.
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

    /// Sends the rows that are still waiting.
    @inlinable
    package func finish() throws { try statement.prepared.finishRows() }
}
