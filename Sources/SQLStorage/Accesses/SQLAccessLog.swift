package import Consent
import Cryptography
package import Identifiers
import Ledger
import SQL

/// Recorded accesses in a database.
package struct SQLAccessLog: AccessLog {
    private let guarded: GuardedDatabase
    private let hashing: RecipientHashing

    init(_ guarded: GuardedDatabase, hashing: RecipientHashing) {
        self.guarded = guarded
        self.hashing = hashing
    }

    package func record(
        _ access: NewAccess, in organization: OrganizationID, at asked: Timestamp
    ) async throws -> AccessEntry {
        guard let hash = try await hashing.hash(of: access.recipient, in: organization) else {
            throw RowError.unknownOrganization
        }
        return try await guarded.write(to: organization) { writing in
            let now = writing.time(notBefore: asked)
            let row = try OrganizationRow.require(organization, writing.db)
            let number = try RecipientLookup(writing.db)(hash)?.recipient
            // The spelling that the other entries use.
            let name = try number.flatMap { number in
                try writing.db.statement("SELECT identifier FROM recipients WHERE number = ?")
                    .first(number) { try $0.recipient(0) } ?? nil
            }
            let entry = AccessEntry(
                id: writing.makeID(.accesses, at: now), who: access.who, what: access.what, recipient: name,
                reason: access.reason)
            let salt = Salt(using: &writing.random)
            var ledger = try LedgerAppend(row, named: organization, at: now, writing)
            let stored: AccessEntry
            if let number, name != nil {
                stored = entry
                try AccessRow.insert(stored, organization: row.number, recipient: number, salt: salt, writing.db)
                try ledger.add(entry, salt: salt)
            } else {
                // The reason may name a person, and no erasure would find it.
                stored = entry.withoutReason
                try AccessRow.insert(stored, organization: row.number, recipient: nil, salt: nil, writing.db)
                try ledger.addClosed(entry, salt: salt, at: now)
            }
            try ledger.finish()
            return stored
        }
    }

    package func accesses(
        matching query: AccessQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [AccessEntry] {
        var hash: HMACSHA256.Tag?
        if let recipient = query.recipient { hash = try await hashing.hash(of: recipient, in: organization) }
        return try await guarded.read(of: organization) { [hash] db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            return try AccessSearch(query, limit: limit).entries(person: hash, organization: row.number, db)
        }
    }

    package func hasAccess(_ id: AccessID, in organization: OrganizationID) async throws -> Bool {
        try await find(id, in: organization) != nil
    }

    package func namesRecipient(_ id: AccessID, in organization: OrganizationID) async throws -> Bool {
        try await find(id, in: organization)?.namesRecipient ?? false
    }

    /// - Returns: `nil` where the organization has no such access.
    private func find(
        _ id: AccessID, in organization: OrganizationID
    ) async throws -> (owner: Int64, namesRecipient: Bool)? {
        try await guarded.read(of: organization) { db in
            let found = try db.statement("SELECT organization, recipient IS NOT NULL FROM accesses WHERE id = ?")
                .first(id) { (owner: $0.integer(0), namesRecipient: $0.bool(1)) }
            guard let found, try OrganizationRow.number(ifAny: organization, db) == found.owner else { return nil }
            return found
        }
    }
}
