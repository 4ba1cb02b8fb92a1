import Consent
import Cryptography
import Identifiers
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The indexes of decisions and accesses, which stand in the order of rows without naming it.
@Suite struct RowIDIndexTests {
    /// A search of each kind with both bounds of the id.
    private func search(_ fixture: SQLiteFixture) async throws -> [String] {
        let message = try await fixture.ports.message()
        let person = try await fixture.storage.database.read { db in
            try db.statement("SELECT p.hash FROM people p JOIN accesses a ON a.recipient = p.recipient LIMIT 1").first {
                let bytes = $0.bytes(0)
                return HMACSHA256.Tag { bytes[$0] }
            }
        }
        let (from, to) = (Timestamp.noon, Timestamp.noon + 1)
        let decisions = try [
            DecisionQuery(from: from, to: to), DecisionQuery(message: message, from: from, to: to),
            DecisionQuery(recipient: .ana, from: from, to: to),
        ]
        let accesses = try [
            AccessQuery(from: from, to: to), AccessQuery(who: .operator, from: from, to: to),
            AccessQuery(recipient: .ana, from: from, to: to),
        ]
        return try await fixture.storage.database.read { db in
            let plans = try db.plans {
                for query in decisions {
                    _ = try DecisionSearch(query, organization: 1, limit: 9).ids(person: person, db)
                }
                for query in accesses {
                    _ = try AccessSearch(query, limit: 9).entries(person: person, organization: 1, db)
                }
            }
            return plans.filter { $0.sql.contains("id < ?") }.flatMap(\.steps)
        }
    }

    private func fill(_ fixture: SQLiteFixture) async throws {
        let ports = fixture.ports
        for _ in 0..<3 {
            try await ports.decide(
                [(.ana, .noConsentRecord), (RecipientID("bob"), .noConsentRecord)], of: ports.message())
            _ = try await ports.look(.operator, of: .ana, at: .decisions, "an audit")
        }
    }

    @Test("a search finds its place in the index by the bounds of the id, and sorts nothing")
    func plans() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            let steps = try await search(fixture)
            for index in [
                "decisions_by_organization (organization=? AND reason=?",
                "decisions_by_message (message=? AND reason=?",
                "decisions_by_recipient (volume=? AND recipient=?", "accesses_by_organization (organization=?",
                "accesses_by_who (organization=? AND who=?", "accesses_by_recipient (recipient=?",
            ] {
                #expect(steps.contains { $0.contains("INDEX \(index) AND rowid>? AND rowid<?)") }, "\(index): \(steps)")
            }
            #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
        }
    }

    @Test("a file of the version before is searched as it was")
    func upgrade() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            let query = DecisionQuery(from: .noon, to: .noon + 60_000)
            let decisions = try await fixture.ports.decisions.decisions(
                matching: query, limit: 9, in: fixture.ports.acme)
            let looks = try await fixture.ports.looks()
            #expect(decisions.count == 6 && looks.count == 3)
            try await fixture.makeOld(before: Schema.rowIDIndexes)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            let found = try await ports.decisions.decisions(matching: query, limit: 9, in: ports.acme)
            #expect(found.map(\.id) == decisions.map(\.id))
            #expect(try await ports.looks() == looks)
            #expect(try await search(reopened).allSatisfy { !$0.contains("TEMP B-TREE") })
            try await ports.checkTree()
            try reopened.storage.close()
        }
    }
}
