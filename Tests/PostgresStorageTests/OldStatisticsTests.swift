import Consent
import Identifiers
import Interactions
import Ledger
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import SQLStorage

/// What a look-up reads while the statistics of the logs are those of a first trial. Autovacuum renews the statistics of
/// tables and partitions, and never those of a partitioned table, by which a planner judges joins.
@Suite struct OldStatisticsTests {
    private static let trial: Int64 = 20
    private static let today: Int64 = 3_000

    enum Question: String, CaseIterable {
        case decision, decisions, recordedDecisions, entry, interaction, interactions
    }

    @Test("a look-up of one or two rows reads a few rows, also by old statistics", arguments: Question.allCases)
    func rows(_ question: Question) async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let acme = ports.acme
        try await fixture.withStorage { connection, db in
            let organization = try OrganizationRow.require(acme, db).number
            let purpose = try PurposeRow.findOrInsert(.tracking, db)
            try Self.fill(1, Self.trial, organization, purpose, db)
            try db.statement("ANALYZE").run()
            try Self.fill(Self.trial + 1, Self.today, organization, purpose, db)
            try db.statement("ANALYZE messages, recipients, decisions_rest, interactions_rest").run()
            let run = "\(organization), 7, 1, \(LedgerKind.decision.rawValue), 2900, 2900"
            try db.statement(
                "INSERT INTO ledger_runs (organization, first_leaf, count, kind, first_id, last_id) VALUES (\(run))"
            ).run()
            try connection.begin()
            let before = try Self.rowsRead(db)
            try Self.ask(question, organization, db)
            #expect(try Self.rowsRead(db) - before <= 10)
            try connection.commit()
        }
        try fixture.close()
    }

    /// Adds messages, recipients, decisions and interactions with the same numbers.
    private static func fill(
        _ first: Int64, _ last: Int64, _ organization: Int64, _ purpose: Int64, _ db: StorageConnection
    ) throws {
        let rows = "FROM generate_series(\(first), \(last)) n"
        try db.statement(
            """
            INSERT INTO messages (id, organization, digest, content, purpose, created_at)
            SELECT n, \(organization), sha256(n::text::bytea), '{}', \(purpose), 1 \(rows)
            """
        ).run()
        try db.statement(
            "INSERT INTO recipients (number, organization, reference) SELECT n, \(organization), n \(rows)"
        ).run()
        try db.statement(
            """
            INSERT INTO decisions (id, organization, message, recipient, reason, enforcement)
            SELECT n, \(organization), n, n, \(DecisionReason.consentGiven.code), \(Enforcement.restrictive.code) \(rows)
            """
        ).run()
        try db.statement(
            """
            INSERT INTO interactions (
                id, organization, message, recipient, occurred_at, recorded_at, position, link, kind, source,
                is_automated, is_first
            ) SELECT n, \(organization), n, n, 1, 1, n, 1, \(InteractionKind.pushLinkClicked.code),
                \(InteractionSource.redirect.code), 0, 0 \(rows)
            """
        ).run()
    }

    /// The rows that this transaction has read so far.
    private static func rowsRead(_ db: StorageConnection) throws -> Int64 {
        try db.statement(
            """
            SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint FROM pg_stat_xact_user_tables
            """
        ).first { $0.integer(0) } ?? -1
    }

    private static func ask(_ question: Question, _ organization: Int64, _ db: StorageConnection) throws {
        switch question {
        case .decision: #expect(try DecisionRow.find(2_900, organization: organization, db)?.reason == .consentGiven)
        case .decisions:
            #expect(try DecisionRow.find([2_990, 2_900], organization: organization, db).count == 2)
        case .recordedDecisions:
            let (first, last) = (DecisionID(rawValue: 2_900), DecisionID(rawValue: 2_901))
            let found = try DecisionRow.recorded(
                from: #require(first), through: #require(last), organization: organization, db)
            #expect(found.count == 2)
        case .entry: #expect(try LedgerRows(organization, db).item(.decision, 2_900)?.leaf == 7)
        case .interaction: #expect(try InteractionRow.find(2_900, db)?.kind == .pushLinkClicked)
        case .interactions: #expect(try InteractionRow.find([2_990, 2_900], db).count == 2)
        }
    }
}
