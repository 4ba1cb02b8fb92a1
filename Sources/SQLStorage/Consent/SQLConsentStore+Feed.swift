package import Consent
package import Identifiers

extension SQLConsentStore {
    package func items(
        after position: ConsentFeedPosition?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentFeedItem]? {
        try await guarded.run(organization) {
            // A server that was replaced may not have the place that its successor gave.
            try await database.readCurrent(unless: { $0?.isEmpty ?? false }) { db in
                guard let row = try OrganizationRow.find(organization, db) else { return [] }
                return try ConsentFeedReading(organization: row.number, db).items(after: position, limit: limit)
            }
        }
    }
}
