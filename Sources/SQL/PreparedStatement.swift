/// A statement that an engine has prepared on one connection, and the row on which it stands.
///
/// Belongs to its connection's thread. Places for values count from 1, columns from 0. ``SQLStatement`` is how stores use
/// it.
@usableFromInline
package protocol PreparedStatement: AnyObject {
    func bind(_ value: Int64, at place: Int32) throws
    func bindNull(as type: SQLType, at place: Int32) throws
    /// - Parameter text: UTF-8, copied before the call returns.
    func bind(text: UnsafeRawBufferPointer, at place: Int32) throws
    /// - Parameter bytes: copied before the call returns.
    func bind(bytes: UnsafeRawBufferPointer, at place: Int32) throws

    /// Binds what names a person. An engine that others run keeps it sealed.
    /// - Parameter text: UTF-8, copied before the call returns.
    func bind(personal text: UnsafeRawBufferPointer, at place: Int32) throws

    /// Binds a list in the place of one value, where the engine has lists (``SQLDialect/hasLists``).
    func bind(integers: [Int64], at place: Int32) throws
    func bind(byteStrings: [[UInt8]], at place: Int32) throws

    /// - Throws: `StorageError` unless the statement has exactly `count` places: one that is left out would keep the
    ///   value of the call before.
    func requireAllBound(_ count: Int32) throws

    /// Does what the statement says, passing over rows. An engine may send it later, with what follows on the same
    /// connection; then an error comes from the next call that waits for an answer, which a commit does.
    func execute() throws

    /// Takes what is bound as one row more of a statement that inserts rows (``RowInsert``).
    func addRow() throws
    /// Inserts the rows that wait for it; see ``execute()`` for when that is done.
    func finishRows() throws

    /// As ``execute()``, and waits.
    /// - Returns: how many rows it inserted, updated or deleted.
    func executeCounting() throws -> Int

    /// As ``executeCounting()``, for an insert of one row that ends in ``SQLDialect/returningNumber``.
    /// - Returns: the row's number; `nil` when it was not inserted, `ON CONFLICT`.
    func executeNumbering() throws -> Int64?

    /// - Returns: whether there is a row.
    func step() throws -> Bool

    /// Forgets values and rows, for the next use.
    func reset()

    func isNull(_ column: Int32) -> Bool
    /// 0 for NULL, and for what is no number.
    func integer(_ column: Int32) -> Int64
    /// A number in decimal digits, NULL as the empty text.
    func text(_ column: Int32) -> String
    /// Empty for NULL.
    func bytes(_ column: Int32) -> [UInt8]
    /// What ``bind(personal:at:)`` has bound; `nil` for NULL.
    /// - Throws: `StorageError.unreadable` for what was changed since.
    func personalText(_ column: Int32) throws(StorageError) -> String?
}

/// What a place in a statement takes. An engine that infers types must know it for NULL too.
@usableFromInline
package enum SQLType: Hashable, Sendable {
    /// 64 bits. Truth is 0 or 1.
    case integer
    case text
    case bytes
    /// Text that names a person.
    case personal
}
