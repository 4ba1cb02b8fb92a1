import Consent
import Identifiers
import Ledger
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// A check that closes a ledger ends composing for its organization. What happens to a store is no reason for that.
@Suite struct FalseAlarmTests {
    /// Fails for a while.
    private final class FailingConnection: SQLConnection {
        private let inner: any SQLConnection
        private let table: String

        init(_ inner: any SQLConnection, at table: String) {
            self.inner = inner
            self.table = table
        }

        var dialect: SQLDialect { inner.dialect }

        func statement(_ sql: String) throws -> SQLStatement {
            guard !sql.contains("FROM \(table)") else { throw StorageError.busy }
            return try inner.statement(sql)
        }

        func longStatement(_ sql: String) throws -> SQLStatement { try inner.longStatement(sql) }
        func rows(_ sql: String) throws -> RowInsert { try inner.rows(sql) }
    }

    @Test("no table of which the store fails to answer is a finding", arguments: LedgerCheckPosition.Phase.allCases)
    func failingStore(_ phase: LedgerCheckPosition.Phase) async throws {
        let tables = [
            "added_links", "decision_counts", "decisions", "consents", "ledger_runs", "ledger_tiles", "people",
            "recipients", "message_names", "organizations", "enforcements", "ledger_events", "accesses",
        ]
        try await withSQLite { fixture in
            try await fixture.ports.decide([(.ana, .noConsentRecord)], of: fixture.ports.message())
            try await fixture.ports.record(.given, for: .ana)
            let hasher = fixture.storage.stores.ledgers.hasher
            let findings = try await fixture.storage.database.read { db in
                tables.compactMap { table in
                    let round = LedgerRound(
                        db: FailingConnection(db, at: table), hasher: hasher,
                        frontier: { owner in
                            LedgerRound.CheckedFrontier(
                                frontier: try LedgerTree.current(owner.number, db).frontier, isCommitted: true)
                        }, isClosed: { _ in false })
                    let step = try? round.step(from: LedgerCheckPosition(phase: phase, organization: 0, next: 0))
                    return step?.finding.map { "\(table): \($0)" }
                }
            }
            #expect(findings == [])
        }
    }

    @Test("what a server shows that was replaced closes no ledger, if the one that took over shows it right")
    func replacedServer() async throws {
        try await TemporaryFolder.with { folder in
            try await withSQLite { fixture in
                let message = try await fixture.ports.message()
                try await fixture.ports.decide(message, count: 300)
                try await fixture.storage.copy(into: folder.path) {}
                let before = try SQLiteFixture(folder)
                try await fixture.ports.decide(message, count: 300)
                let stores = fixture.storage.stores
                let ledgers = SQLLedgerStore(
                    GuardedDatabase(
                        database: NodeDatabase(fixture.storage.database, replaced: before.storage.database),
                        ledgers: stores.ledgers.ledgers),
                    hasher: stores.ledgers.hasher)
                var position = LedgerCheckPosition?.some(.start)
                while let next = position {
                    let step = try await ledgers.check(from: next)
                    #expect(step.finding == nil)
                    position = step.next
                }
                #expect(ledgers.inconsistencies.isEmpty)
                try before.storage.close()
            }
        }
    }

    @Test("each node has a place of its own at which its check goes on")
    func places() async throws {
        try await withSQLite { fixture in
            let stores = fixture.storage.stores
            let nodes = try [0, 5].map { slot in
                SQLLedgerStore(
                    GuardedDatabase(
                        database: NodeDatabase(
                            fixture.storage.database, slot: try #require(NodeSlot(rawValue: slot))),
                        ledgers: stores.ledgers.ledgers),
                    hasher: stores.ledgers.hasher)
            }
            let position = LedgerCheckPosition(phase: .decisions, organization: 1, next: 7)
            try await nodes[0].keep(position)
            #expect(try await nodes[1].checkPosition() == nil)
            try await nodes[1].keep(.start)
            try await nodes[1].keep(nil)
            #expect(try await nodes[0].checkPosition() == position)
        }
    }
}

extension StorageUnderTest {
    fileprivate func decide(_ message: MessageID, count: Int) async throws {
        let people = try (0..<count).map { try RecipientID("person\($0)") }
        try await decide(people.map { ($0, .noConsentRecord) }, of: message)
    }
}
