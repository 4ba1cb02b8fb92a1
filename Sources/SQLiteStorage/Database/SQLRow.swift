import GRDBSQLite
import Identifiers
import Ledger

/// The row that a statement stands on. Valid until the statement moves on; columns count from 0.
struct SQLRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    /// The value as text; a number in decimal digits, NULL as the empty text.
    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func timestamp(_ column: Int32) -> Timestamp { Timestamp(millisecondsSince1970: integer(column)) }

    func optionalTimestamp(_ column: Int32) -> Timestamp? { isNull(column) ? nil : timestamp(column) }

    func id<ID: EntityID>(_ column: Int32, _: ID.Type = ID.self) throws(StorageError) -> ID {
        guard let value = UInt64(exactly: integer(column)), let id = ID(rawValue: value) else { throw .unreadable }
        return id
    }

    func optionalID<ID: EntityID>(_ column: Int32, _: ID.Type = ID.self) throws(StorageError) -> ID? {
        isNull(column) ? nil : try id(column)
    }

    func reference(_ column: Int32) throws(StorageError) -> RecipientReference {
        guard let reference = RecipientReference(rawValue: UInt64(bitPattern: integer(column))) else {
            throw .unreadable
        }
        return reference
    }

    /// `nil` for NULL.
    func recipient(_ column: Int32) throws(StorageError) -> RecipientID? {
        guard let text = optionalText(column) else { return nil }
        do throws(IdentifierError) { return try RecipientID(text) } catch { throw .unreadable }
    }

    func purpose(_ column: Int32) throws(StorageError) -> Purpose {
        do throws(IdentifierError) { return try Purpose(text(column)) } catch { throw .unreadable }
    }

    /// What `read` makes of the row; names the row when one of its values cannot be read.
    func readable<Value>(
        _ kind: LedgerRowName.Kind, id: Int32, _ read: () throws -> Value
    ) throws -> Value {
        do {
            return try read()
        } catch StorageError.unreadable {
            throw StorageError.unreadableRow(LedgerRowName(kind, integer(id)))
        }
    }
}
