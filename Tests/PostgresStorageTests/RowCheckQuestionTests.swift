import Consent
import Identifiers
import Ledger
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import SQLStorage

/// How the check of the ledgers reads the rows of many short runs from a server.
@Suite struct RowCheckQuestionTests {
    private static let records = 80

    /// Passes everything on, and says that it takes no lists: each run is read with a statement of its own.
    private final class RunByRunConnection: SQLConnection {
        private let inner: any SQLConnection

        init(_ inner: any SQLConnection) { self.inner = inner }

        var dialect: SQLDialect { SQLDialect(.sqlite) }

        func statement(_ sql: String) throws -> SQLStatement { try inner.statement(sql) }
        func longStatement(_ sql: String) throws -> SQLStatement { try inner.longStatement(sql) }
        func rows(_ sql: String) throws -> RowInsert { try inner.rows(sql) }
    }

    /// A ledger in which a decision stands behind every record, so that each run has one entry.
    private func fixture() async throws -> (PostgresFixture, OrganizationID, RecipientHasher) {
        let fixture = try await PostgresFixture()
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let message = try await ports.message()
        for number in 0..<Self.records {
            let name = try RecipientID("person-\(number)@example.com")
            try await ports.record(.given, for: name)
            try await ports.decide([(name, .consentGiven)], of: message)
        }
        return (fixture, ports.acme, storage.stores.ledgers.hasher)
    }

    /// Checks the rows of a kind from the first on: with lists, and run by run. The first value counts the questions.
    private func steps(
        _ kind: LedgerKind, _ fixture: PostgresFixture, _ id: OrganizationID, _ hasher: RecipientHasher
    ) async throws -> (questions: Int, together: LedgerRound.Outcome, apart: LedgerRound.Outcome) {
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            let storage = try StorageConnection.of(connection, SealingKeys(key: PostgresFixture.erasureKey))
            return try connection.snapshot {
                let owner = LedgerRound.Owner(number: try OrganizationRow.number(of: id, storage), id: id)
                // The stored edge, which a change of rows does not change.
                let tree = try LedgerTree.current(owner.number, storage)
                let frontier = LedgerRound.CheckedFrontier(frontier: tree.frontier, isCommitted: true)
                let counting = CountingConnection(storage)
                let together = try RowCheck(kind, owner, hasher, frontier, counting).step(from: 0)
                let questions = counting.questions
                let apart = try RowCheck(kind, owner, hasher, frontier, RunByRunConnection(storage)).step(from: 0)
                return (questions, together, apart)
            }
        }
    }

    @Test("a few questions suffice for many runs", arguments: [LedgerKind.consent, .decision])
    func questions(_ kind: LedgerKind) async throws {
        let (fixture, acme, hasher) = try await fixture()
        let (questions, together, _) = try await steps(kind, fixture, acme, hasher)
        #expect(questions <= 4, "\(questions) questions")
        #expect(together.finding == nil)
        #expect(together.entries == Self.records)
        #expect(together.next == nil)
        try fixture.close()
    }

    @Test(
        "of many runs the first one that differs is found, as if each were read alone",
        arguments: [
            ("UPDATE consents SET state = 2", [0]), ("UPDATE consents SET state = 2", [41]),
            ("UPDATE consents SET state = 2", [60, 20]), ("UPDATE consents SET occurred_at = occurred_at - 1000", [79]),
            ("DELETE FROM consents", [0]), ("DELETE FROM consents", [41, 42]), ("DELETE FROM consents", [79]),
            ("UPDATE decisions SET enforcement = 3 - enforcement", [41]), ("UPDATE decisions SET volume = 0", [79]),
            ("DELETE FROM decisions", [30, 50]),
        ])
    func first(_ change: String, _ places: [Int]) async throws {
        let (fixture, acme, hasher) = try await fixture()
        try fixture.close()
        let isOfConsents = change.contains("consents")
        let table = isOfConsents ? "consents" : "decisions"
        let rows = places.map { "(SELECT id FROM \(table) ORDER BY id OFFSET \($0) LIMIT 1)" }
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        try connection.run(
            script: "SET session_replication_role = replica; \(change) WHERE id IN (\(rows.joined(separator: ", ")))")
        connection.close()
        let (_, together, apart) = try await steps(isOfConsents ? .consent : .decision, fixture, acme, hasher)
        #expect(together.finding != nil)
        #expect(together.finding == apart.finding)
        #expect(together.entries == apart.entries)
        #expect(together.entries == (places.min() ?? 0) + 1)
        #expect(together.next == apart.next)
    }
}
