import Identifiers
import Ledger
import SQL

extension SQLRow {
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

    /// - Parameter number: the column with the number of the organization's row, which the error names. A number below
    ///   1 is an error, too: numbers begin with 1, and so do the checks of all rows.
    func organizationID(_ column: Int32, number: Int32) throws(RowError) -> OrganizationID {
        guard integer(number) > 0 else { throw .unreadableOrganization(integer(number)) }
        do throws(IdentifierError) {
            return try OrganizationID(text(column))
        } catch {
            throw .unreadableOrganization(integer(number))
        }
    }

    /// `nil` for NULL.
    func recipient(_ column: Int32) throws(StorageError) -> RecipientID? {
        guard let text = try personalText(column) else { return nil }
        do throws(IdentifierError) { return try RecipientID(text) } catch { throw .unreadable }
    }

    func purpose(_ column: Int32) throws(StorageError) -> Purpose {
        do throws(IdentifierError) { return try Purpose(text(column)) } catch { throw .unreadable }
    }

    /// Calls `read` with the row; the error names the row if one of its values cannot be read.
    func readable<Value>(
        _ kind: LedgerRowName.Kind, id: Int32, _ read: () throws -> Value
    ) throws -> Value {
        do {
            let value = try read()
            try requireReadable()
            return value
        } catch StorageError.unreadable {
            let name = LedgerRowName(kind, integer(id))
            // The error below tells it: a caller that catches the error continues with the next row.
            try? requireReadable()
            throw RowError.unreadable(name)
        }
    }

    /// The result of `read`; `nil` if it throws, or if it reads a value that is missing or of another type than its
    /// column was made with. The statement then continues with the next row.
    /// - Throws: `StorageError.unreadable` if a value of the row that was read before cannot be read.
    func ifReadable<Value>(_ read: () throws -> Value) throws(StorageError) -> Value? {
        try requireReadable()
        let value = try? read()
        do throws(StorageError) { try requireReadable() } catch { return nil }
        return value
    }
}
