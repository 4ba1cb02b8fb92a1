import Consent
import GRDB
import Identifiers
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What an erasure costs for each of many rows.
@Suite struct RetainedCommitmentsTests {
    @Test("the rows of a run are counted once, however many of their commitments are kept")
    func counting() async throws {
        try await withSQLite { fixture in
            let records = try (0..<600).map { _ in
                try NewConsentRecord(
                    recipient: .ana, purpose: .tracking, state: .withdrawn, occurredAt: nil, validUntil: nil,
                    evidence: nil, now: .noon)
            }
            let acme = fixture.ports.acme
            _ = try await fixture.ports.consents.append(records, in: acme, at: .noon)
            let statements = try await fixture.storage.database.write { writing in
                let number = try OrganizationRow.number(of: acme, writing.db)
                let ids = try writing.db.statement("SELECT id FROM consents").all { $0.integer(0) }
                var statements: [String] = []
                try writing.db.grdb.trace { event in
                    if case .statement(let statement) = event { statements.append(statement.expandedSQL) }
                }
                defer { try? writing.db.grdb.trace() }
                #expect(try RetainedCommitments.keep(.consent, ids, number, named: acme, writing) == 600)
                return statements
            }
            let starts = statements.filter { $0.contains("count(*)") }.compactMap { statement in
                statement.split(separator: " BETWEEN ").last?.prefix { $0 != " " }
            }
            #expect(starts.count == 600)
            #expect(Set(starts).count == 600, "no row is counted twice")
            let skipping = statements.filter { $0.contains(" OFFSET ") && !$0.hasSuffix(" OFFSET 0") }
            #expect(skipping.isEmpty)
        }
    }
}
