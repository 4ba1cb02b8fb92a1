import Cryptography
package import Identifiers
package import Messages
import SQL

extension SQLMessageStore: MessageArchive {
    package func messages(
        matching query: MessageQuery,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [MessageSummary]? {
        try await closingLedgerIfUnreadable {
            try await database.read { db in
                guard let number = try OrganizationRow.number(ifAny: organization, db) else { return [] }
                if let after = query.after, try MessageOwner.find(after, db)?.organization != number { return nil }
                return try MessageSearch(query, in: organization, number: number, limit: limit).messages(db)
            }
        }
    }

    package func id(of content: Message, in organization: OrganizationID) async throws -> MessageID? {
        let digest = SHA256.hash(of: try content.canonicalJSON)
        return try await closingLedgerIfUnreadable {
            try await database.read { db in
                guard let number = try OrganizationRow.number(ifAny: organization, db) else { return nil }
                return try MessageRow.id(digest: digest, organization: number, db)
            }
        }
    }
}
