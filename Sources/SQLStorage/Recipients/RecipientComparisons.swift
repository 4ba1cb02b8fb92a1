import Identifiers
import SQL
import Synchronization

/// How organizations compare their recipients.
///
/// An organization is never removed and its comparison never changes, so an answer of the database stays valid.
final class RecipientComparisons: Sendable {
    private let database: any SQLDatabase
    /// Guards the answers so far.
    private let known = Mutex<[OrganizationID: RecipientComparison]>([:])

    init(_ database: any SQLDatabase) { self.database = database }

    /// - Returns: `nil` if there is no such organization.
    func comparison(in organization: OrganizationID) async throws -> RecipientComparison? {
        if let comparison = known.withLock({ $0[organization] }) { return comparison }
        let found = try await database.read { db in try OrganizationRow.find(organization, db)?.comparison }
        if let found { known.withLock { $0[organization] = found } }
        return found
    }
}
