import Cryptography
import GRDB
package import Identifiers
package import Interactions

/// Interactions in the main file.
///
/// They are read in the order of their positions, which is that of storing them: the transaction that stores an
/// interaction makes its position, and one transaction writes at a time.
package struct SQLiteInteractionStore: InteractionStore {
    private let database: SQLiteDatabase
    private let people: RecipientHashing

    init(_ database: SQLiteDatabase, people: RecipientHashing) {
        self.database = database
        self.people = people
    }

    /// Passes over an occurrence of a message that is not known. An occurrence of somebody who was erased in the
    /// meantime is stored and names nobody, as if it had been stored before.
    package func store(_ occurrences: [SpooledOccurrence], at now: Timestamp) async throws {
        guard !occurrences.isEmpty else { return }
        try await database.write { writing in
            var insert = try InteractionInsert(at: now, writing)
            for occurrence in occurrences { try insert.add(occurrence) }
            try insert.finish()
        }
    }

    package func count(in organization: OrganizationID) async throws -> Int {
        try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db) else { return 0 }
            return try QuotasRow.stored(of: row.number, db)
        }
    }

    package func reports(since instant: Timestamp) async throws -> [Occurrence] {
        try await database.read { db in try InteractionRow.reports(since: instant, db) }
    }

    package func interactions(
        matching query: InteractionQuery,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [Interaction] {
        var hash: HMACSHA256.Tag?
        if let recipient = query.recipient { hash = try await people.hash(of: recipient, in: organization) }
        return try await database.read { [hash] db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            let search = InteractionSearch(query, organization: row.number, limit: limit)
            return try search.ids(person: hash, db).compactMap { id in try InteractionRow.find(id, db) }
        }
    }
}
