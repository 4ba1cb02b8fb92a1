/// A statement that an engine has prepared on one connection, and its current row.
///
/// Must be used on its connection's thread. Places for values count from 1, columns from 0. Stores use it through
/// ``SQLStatement``.
@usableFromInline
package protocol PreparedStatement: AnyObject {
    func bind(_ value: Int64, at place: Int32) throws
    func bindNull(as type: SQLType, at place: Int32) throws
    /// - Parameter text: UTF-8, copied before the call returns.
    func bind(text: UnsafeRawBufferPointer, at place: Int32) throws
    /// - Parameter bytes: copied before the call returns.
    func bind(bytes: UnsafeRawBufferPointer, at place: Int32) throws

    /// Binds personal data. An engine on a server stores it sealed.
    /// - Parameter text: UTF-8, copied before the call returns.
    func bind(personal text: UnsafeRawBufferPointer, at place: Int32) throws

    /// Binds a list in the place of one value, if the engine has lists (``SQLDialect/hasLists``).
    func bind(integers: [Int64], at place: Int32) throws
    func bind(byteStrings: [[UInt8]], at place: Int32) throws

    /// - Throws: `StorageError` unless the statement has exactly `count` places: a place that is left out would keep
    ///   the value of the previous call.
    func requireAllBound(_ count: Int32) throws

    /// Runs the statement and ignores its rows. An engine may send it later, together with what follows on the same
    /// connection. An error then comes from the next call that waits for an answer, such as a commit.
    func execute() throws

    /// Adds the bound values as one more row of a statement that inserts rows (``RowInsert``).
    func addRow() throws
    /// Inserts the added rows; see ``execute()`` for when that happens.
    func finishRows() throws

    /// Like ``execute()``, and waits for the answer.
    /// - Returns: the number of rows that it inserted, updated or deleted.
    func executeCounting() throws -> Int

    /// Like ``executeCounting()``, for an insert of one row that ends in ``SQLDialect/returningNumber``.
    /// - Returns: the row's number; `nil` if it was not inserted, because of `ON CONFLICT`.
    func executeNumbering() throws -> Int64?

    /// - Returns: whether there is a row.
    func step() throws -> Bool

    /// Removes values and rows, for the next use.
    func reset()

    func isNull(_ column: Int32) -> Bool
    /// 0 for a value that is not a number, and for NULL; ``requireReadable()`` then throws, unless it is the NULL of a
    /// comparison.
    func integer(_ column: Int32) -> Int64
    /// A number gives its decimal digits, NULL an empty text. Whether it was a text, ``requireReadable()`` says.
    func text(_ column: Int32) -> String
    /// Empty for NULL. Whether it was a string of bytes, ``requireReadable()`` says.
    func bytes(_ column: Int32) -> [UInt8]
    /// Is called once the values of a row were read. An engine whose tables cannot have a value of another type than
    /// their columns were made with does nothing.
    /// - Throws: `StorageError.unreadable` if a value that was read since the last call is of another type: the column
    ///   was changed.
    func requireReadable() throws(StorageError)
    /// The text that ``bind(personal:at:)`` has bound; `nil` for NULL.
    /// - Throws: `StorageError.unreadable` if the value was changed since.
    func personalText(_ column: Int32) throws(StorageError) -> String?
}

extension PreparedStatement {
    @usableFromInline
    package func requireReadable() {}
}

/// The type of a place in a statement. An engine that infers types must know it for NULL too.
@usableFromInline
package enum SQLType: Hashable, Sendable {
    /// 64 bits. Booleans are 0 or 1.
    case integer
    case text
    case bytes
    /// Text with personal data.
    case personal
}
