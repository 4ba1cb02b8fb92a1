import Consent
import Identifiers
import Ledger
import SQL

/// Reads and writes recorded accesses.
enum AccessRow {
    /// The columns that ``entry(_:)`` reads; `r` is the recipient's row.
    static let columns = "a.id, a.who, a.what, r.identifier, a.reason"

    /// - Throws: ``RowError/unreadable(_:)``
    static func entry(_ row: SQLRow) throws -> AccessEntry {
        try row.readable(.access, id: 0) {
            AccessEntry(
                id: try row.id(0), who: try row.accessor(1), what: try AccessedRecords(code: row.integer(2)),
                recipient: try row.recipient(3), reason: try row.accessReason(4))
        }
    }

    static func insert(
        _ access: AccessEntry, organization: Int64, recipient: Int64?, salt: Salt?, _ db: any SQLConnection
    ) throws {
        try db.statement(
            "INSERT INTO accesses (id, organization, who, what, recipient, reason, salt) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).run(
            access.id, organization, access.who.description, access.what.code, recipient,
            access.reason.map { PersonalText($0.text) }, salt)
    }
}

extension SQLRow {
    fileprivate func accessor(_ column: Int32) throws(StorageError) -> AccessorName {
        do throws(AccessTextError) { return try AccessorName(text(column)) } catch { throw .unreadable }
    }

    /// `nil` for NULL.
    fileprivate func accessReason(_ column: Int32) throws(StorageError) -> AccessReason? {
        guard let text = try personalText(column) else { return nil }
        do throws(AccessTextError) { return try AccessReason(text) } catch { throw .unreadable }
    }
}
