import Consent
import Identifiers
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import SQLStorage

/// What a question reads while there are no statistics, as in the partition of a new month and after a restore. A planner
/// then takes the parts of a table that a value selects for much smaller than they are.
@Suite struct NoStatisticsTests {
    private static let count = 40_000

    enum Question: String, CaseIterable { case personOfWord, decisionOfPerson }

    /// Planning reads the first block of each index of each partition.
    @Test("a question about one row reads a few blocks of an index", arguments: Question.allCases)
    func blocks(_ question: Question) async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await fixture.withStorage { connection, db in
            try Self.fill(db)
            try connection.begin()
            let before = try Self.blocksRead(db)
            switch question {
            case .personOfWord: #expect(try EvidenceWordTable.hasRecipients(1, atLeast: 1, db))
            case .decisionOfPerson:
                var reports = ReportForgetting(db)
                try reports.forgetDecision(about: 5, in: try #require(MessageID(rawValue: 7)))
            }
            #expect(try Self.blocksRead(db) - before <= 60)
            try connection.commit()
        }
        withExtendedLifetime(ports) {}
        try fixture.close()
    }

    /// Decisions about as many people of one message, and one word of as many people.
    private static func fill(_ db: StorageConnection) throws {
        try db.statement(
            """
            INSERT INTO decisions (id, organization, message, recipient, reason, enforcement)
            SELECT n, 1, 7, n, \(DecisionReason.consentGiven.code), \(Enforcement.restrictive.code)
            FROM generate_series(1, \(count)) n
            """
        ).run()
        try db.statement(
            "INSERT INTO evidence_word_people (word, recipient) SELECT 1, n FROM generate_series(1, \(count)) n"
        ).run()
    }

    /// The blocks of tables and indexes that this transaction has read so far.
    private static func blocksRead(_ db: StorageConnection) throws -> Int64 {
        try db.statement(
            """
            SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::bigint FROM pg_class
            WHERE relname ~ '^(decisions|evidence_word_people)'
            """
        ).first { $0.integer(0) } ?? -1
    }
}
