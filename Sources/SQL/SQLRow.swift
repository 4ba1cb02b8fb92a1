/// The current row of a statement. Valid until the statement moves on; columns count from 0.
@usableFromInline
package struct SQLRow {
    private let statement: any PreparedStatement

    @usableFromInline
    package init(_ statement: any PreparedStatement) { self.statement = statement }

    /// - Throws: `StorageError.unreadable` if a value that was read is of another type than its column was made with.
    package func requireReadable() throws(StorageError) { try statement.requireReadable() }

    package func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

    package func integer(_ column: Int32) -> Int64 { statement.integer(column) }

    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    package func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    /// The value as text. A number gives its decimal digits, NULL an empty text.
    package func text(_ column: Int32) -> String { statement.text(column) }

    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    package func bytes(_ column: Int32) -> [UInt8] { statement.bytes(column) }

    /// The text that was bound as ``PersonalText``; `nil` for NULL.
    /// - Throws: `StorageError.unreadable` if the value was changed since.
    package func personalText(_ column: Int32) throws(StorageError) -> String? { try statement.personalText(column) }
}
