package import Consent
package import Identifiers
import Ledger
package import Organizations
import SQL
import StoragePorts

/// Organizations and their keys in a database.
package struct SQLOrganizationStore: OrganizationStore {
    private let database: any SQLDatabase
    private let guarded: GuardedDatabase

    init(_ guarded: GuardedDatabase) {
        database = guarded.database
        self.guarded = guarded
    }

    package func create(
        _ organization: Organization,
        firstKey: NewAPIKey,
        at asked: Timestamp
    ) async throws -> APIKey? {
        try await database.write { writing in
            let now = writing.time(notBefore: asked)
            guard try OrganizationRow.find(organization.id, writing.db) == nil else { return nil }
            let number = try OrganizationSettingsRow.insert(organization, writing.db)
            try RetentionRow.update(organization.retention, of: number, writing.db)
            try QuotasRow.update(organization.quotas, of: number, writing.db)
            try EnforcementRow.insert(organization.enforcement, of: number, at: now, writing.db)
            // A ledger begins with the enforcement that applies.
            let row = try OrganizationRow.require(organization.id, writing.db)
            var ledger = try LedgerAppend(row, named: organization.id, at: now, writing)
            try ledger.finish()
            writing.addChange(.privacyControl(isHonored: organization.honorsGPC, organization.id))
            writing.addChange(.recording([:], organization.enforcement, organization.id))
            return try APIKeyRow.insert(firstKey, of: organization.id, number: number, at: now, writing)
        }
    }

    package func organization(_ id: OrganizationID) async throws -> Organization? {
        try await guarded.run(settingsOf: id) {
            try await database.read { db in try OrganizationSettingsRow.find(id, db) }
        }
    }

    package func all() async throws -> [Organization] {
        try await readable(try await database.read { db in try OrganizationSettingsRow.ids(db) })
    }

    package func quotas() async throws -> [OrganizationID: Quotas] {
        let rows = try await database.read { db in
            try db.statement(
                """
                SELECT id, \(QuotasRow.columns) FROM organizations
                WHERE quota_requests IS NOT NULL OR quota_interactions IS NOT NULL
                """
            ).all { (try OrganizationID($0.text(0)), QuotasRow.read($0, from: 1)) }
        }
        return Dictionary(rows) { first, _ in first }
    }

    package func organizations(after: OrganizationID?, limit: Int) async throws -> OrganizationPage? {
        let found = try await database.read { db -> [OrganizationID]? in
            guard let number = try after.map({ try OrganizationRow.number(ifAny: $0, db) }) ?? 0 else { return nil }
            return try OrganizationSettingsRow.ids(after: number, limit: limit + 1, db)
        }
        guard let found else { return nil }
        let ids = found.prefix(limit)
        return OrganizationPage(
            organizations: try await readable(Array(ids)), next: found.count > limit ? ids.last : nil)
    }

    private func readable(_ ids: [OrganizationID]) async throws -> [Organization] {
        var organizations: [Organization] = []
        for id in ids {
            do {
                if let found = try await organization(id) { organizations.append(found) }
            } catch is LedgerInconsistency {
                // The ledger of this organization is closed; the others continue.
            }
        }
        return organizations
    }

    package func change(
        _ id: OrganizationID,
        by change: OrganizationChange,
        at asked: Timestamp
    ) async throws -> Organization? {
        try await guarded.run(settingsOf: id) {
            try await database.write { writing -> Organization? in
                let now = writing.time(notBefore: asked)
                guard let found = try OrganizationSettingsRow.find(id, writing.db) else { return nil }
                let changed = change.applied(to: found)
                let row = try OrganizationRow.require(id, writing.db)
                let hasNewRules = changed.enforcement != found.enforcement
                if hasNewRules {
                    var ledger = try LedgerAppend(row, named: id, at: now, writing)
                    try ledger.add(.enforcement(at: now, changed.enforcement))
                    try ledger.finish()
                    try EnforcementRow.insert(changed.enforcement, of: row.number, at: now, writing.db)
                }
                try OrganizationSettingsRow.update(changed, writing.db)
                try RetentionRow.update(changed.retention, of: row.number, writing.db)
                try QuotasRow.update(changed.quotas, of: row.number, writing.db)
                if changed.honorsGPC != found.honorsGPC {
                    writing.addChange(.privacyControl(isHonored: changed.honorsGPC, id))
                }
                if hasNewRules {
                    for change in try RecordingEnds.load(id, at: now, writing.db).rules.changes {
                        writing.addChange(change)
                    }
                }
                return changed
            }
        }
    }

    package func enforcementHistory(of id: OrganizationID) async throws -> EnforcementHistory? {
        try await guarded.run(settingsOf: id, .enforcement) {
            try await database.readCurrent { db in
                guard let row = try OrganizationRow.find(id, db) else { return nil }
                return try EnforcementRow.history(of: row.number, db)
            }
        }
    }

    package func addKey(
        _ key: NewAPIKey,
        to organization: OrganizationID,
        by maker: APIKeyID?,
        at now: Timestamp
    ) async throws -> APIKey? {
        try await database.write { writing in
            guard let row = try OrganizationRow.find(organization, writing.db) else { return nil }
            if let maker, try APIKeyRow.find(maker, writing.db)?.organization != organization { return nil }
            return try APIKeyRow.insert(key, of: organization, number: row.number, at: now, writing)
        }
    }

    package func keys(of organization: OrganizationID) async throws -> [APIKey] {
        try await database.read { db in try APIKeyRow.all(of: organization, db) }
    }

    package func keys(
        of organization: OrganizationID, after last: APIKeyID?, limit: Int
    ) async throws -> [APIKey] {
        try await database.read { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return [] }
            return try APIKeyRow.page(of: number, after: last, limit: limit, db)
        }
    }

    package func removeKey(_ id: APIKeyID, of organization: OrganizationID) async throws -> Bool {
        try await database.write { writing in
            guard let row = try OrganizationRow.find(organization, writing.db) else { return false }
            return try writing.db.statement("DELETE FROM access_keys WHERE id = ? AND organization = ?")
                .changes(id, row.number) > 0
        }
    }

    package func noteUses(_ uses: [APIKeyID: Timestamp]) async throws {
        guard !uses.isEmpty else { return }
        try await database.write { writing in
            for (id, time) in uses { try APIKeyRow.note(id, usedAt: time, writing.db) }
        }
    }

    package func key(with digest: APIKeyDigest) async throws -> APIKey? {
        try await database.read { db in try APIKeyRow.find(digest, db) }
    }
}
