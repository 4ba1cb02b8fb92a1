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

    /// - Parameter number: the column with the number of the organization's row, which the error names. The checks begin
    ///   with 1, as the numbers do.
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
            throw RowError.unreadable(LedgerRowName(kind, integer(id)))
        }
    }
}
