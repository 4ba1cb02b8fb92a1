import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What a page of keys costs, however many keys an organization has.
@Suite struct APIKeyPageTests {
    @Test("a page is read behind an id in the index of the organization, and sorted by nothing")
    func plan() async throws {
        try await withSQLite { fixture in
            let plans = try await fixture.storage.database.read { db in
                try db.plans { _ = try APIKeyRow.page(of: 1, after: nil, limit: 2, db) }
            }
            let steps = plans.filter { $0.sql.contains("access_keys") }.flatMap(\.steps)
            #expect(
                steps.contains { $0.hasSuffix("access_keys_by_organization (organization=? AND rowid>?)") }, "\(steps)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(steps)")
        }
    }
}
