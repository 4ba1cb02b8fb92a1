import Identifiers
import Ledger
import SQL

/// The row of an organization has a value that cannot be read, which a check of its rows needs. The check of the
/// settings may have passed before the value was lost.
struct UnreadableOrganization: Error {
    let organization: OrganizationID

    var finding: LedgerInconsistency { LedgerInconsistency(organization, .derived(.settings)) }

    /// Calls `read`, which reads values of an organization's own row and of its history.
    /// - Throws: ``UnreadableOrganization`` instead of `StorageError.unreadable`.
    static func named<Value>(_ organization: OrganizationID, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch StorageError.unreadable {
            throw UnreadableOrganization(organization: organization)
        }
    }
}
