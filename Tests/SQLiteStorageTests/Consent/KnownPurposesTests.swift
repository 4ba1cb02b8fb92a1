import Consent
import Identifiers
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What it costs to find out that a purpose is new.
@Suite struct KnownPurposesTests {
    private struct Refused: Error {}

    @Test("a purpose that no record was stored for is found out without reading those that are stored")
    func noScan() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            let plans = try await fixture.storage.database.write { writing in
                try writing.db.plans {
                    for number in 0..<3 {
                        let purpose = try Purpose("purpose-\(number)")
                        #expect(try PurposeRow.find(purpose, writing.db) == nil)
                        let made = try PurposeRow.findOrInsert(purpose, writing.db)
                        #expect(try PurposeRow.find(purpose, writing.db) == made)
                    }
                }
            }
            #expect(plans.contains { $0.sql.contains("FROM purposes") })
            let scans = plans.filter { plan in plan.steps.contains { $0.hasPrefix("SCAN") } }
            #expect(scans.isEmpty, "\(scans)")
        }
    }

    @Test("a purpose of a write that failed is as new as before")
    func undone() async throws {
        try await withSQLite { fixture in
            let database = fixture.storage.database
            await #expect(throws: Refused.self) {
                try await database.write { writing in
                    _ = try PurposeRow.findOrInsert(Purpose("purpose"), writing.db)
                    throw Refused()
                }
            }
            #expect(try await database.read { db in try PurposeRow.find(Purpose("purpose"), db) } == nil)
            let other = try await database.write { writing in
                try PurposeRow.findOrInsert(Purpose("other"), writing.db)
            }
            let made = try await database.write { writing in
                try PurposeRow.findOrInsert(Purpose("purpose"), writing.db)
            }
            #expect(other != made)
            #expect(try await database.read { db in try PurposeRow.find(Purpose("purpose"), db) } == made)
        }
    }
}
