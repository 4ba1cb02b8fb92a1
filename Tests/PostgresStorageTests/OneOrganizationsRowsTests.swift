import Identifiers
import Interactions
import Organizations
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import SQLStorage

/// What a question about one organization reads where another organization has all rows. By its statistics, a planner
/// then takes every row for one that fits, and would search them in the order of all organizations.
@Suite struct OneOrganizationsRowsTests {
    private static let count = 600

    enum Question: String, CaseIterable {
        case last, lastUpTo, first, firstBehind, oldest, nextDue, cursor
        case oldestRequest, oldRequests
    }

    @Test(
        "a question about one organization reads no row of another, whatever the statistics say",
        arguments: Question.allCases)
    func rows(_ question: Question) async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let (acme, other) = (ports.acme, ports.globex)
        try await fixture.withStorage { connection, db in
            let full = try OrganizationRow.require(acme, db).number
            let empty = try OrganizationRow.require(other, db).number
            try Self.fill(full, db)
            try connection.begin()
            let before = try Self.rowsRead(db)
            try Self.ask(question, about: empty, db)
            #expect(try Self.rowsRead(db) - before == 0)
            try connection.commit()
        }
        try fixture.close()
    }

    @Test("of an organization with one kind of interactions, the first and the last are found")
    func ends() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let acme = ports.acme
        try await fixture.withStorage { _, db in
            let full = try OrganizationRow.require(acme, db).number
            try Self.fill(full, db)
            let count = Int64(Self.count)
            #expect(try InteractionPositions.least(of: full, db) == [1])
            #expect(try InteractionPositions.least(behind: 5, of: full, db) == [6])
            #expect(try InteractionPositions.least(behind: count, of: full, db).isEmpty)
            #expect(try InteractionPositions.greatest(of: full, db) == [count])
            #expect(try InteractionPositions.greatest(through: 5, of: full, db) == [5])
            #expect(try InteractionPositions.greatest(through: 0, of: full, db).isEmpty)
            #expect(try InteractionPositions.oldest(before: 9, limit: 3, of: full, db) == [1, 2, 3])
            #expect(try InteractionPositions.oldest(before: 3, limit: 9, of: full, db) == [1, 2])
        }
        try fixture.close()
    }

    /// Gives an organization clicks with the ids and positions from 1 on, and as many consent requests.
    private static func fill(_ organization: Int64, _ db: StorageConnection) throws {
        try db.statement(
            """
            INSERT INTO interactions (
                id, organization, message, recipient, occurred_at, recorded_at, position, link, kind, source,
                is_automated, is_first
            ) SELECT n, \(organization), 1, n, 1, 1, n, 1, \(InteractionKind.pushLinkClicked.code), 1, 0, 0
            FROM generate_series(1, \(count)) n
            """
        ).run()
        try db.statement(
            """
            INSERT INTO consent_requests (
                id, organization, recipient, notice, needs_confirmation, made_at, expires_at
            ) SELECT n, \(organization), n, 1, 0, 1, 1 FROM generate_series(1, \(count)) n
            """
        ).run()
        try db.statement("ANALYZE interactions, consent_requests").run()
    }

    /// The rows that this transaction has read so far.
    private static func rowsRead(_ db: StorageConnection) throws -> Int64 {
        try db.statement(
            """
            SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint FROM pg_stat_xact_user_tables
            WHERE relname ~ '^(interactions|consent_requests)'
            """
        ).first { $0.integer(0) } ?? -1
    }

    private static func ask(_ question: Question, about organization: Int64, _ db: StorageConnection) throws {
        switch question {
        case .last: #expect(try EndpointQueue.lastInteraction(of: organization, db) == nil)
        case .lastUpTo: #expect(try InteractionPositions.greatest(through: 300, of: organization, db).isEmpty)
        case .first: #expect(try InteractionPositions.least(of: organization, db).isEmpty)
        case .firstBehind: #expect(try InteractionPositions.least(behind: 300, of: organization, db).isEmpty)
        case .oldest: #expect(try InteractionPositions.oldest(before: .max, limit: 500, of: organization, db).isEmpty)
        case .nextDue:
            let kept = Retention(interactionsDays: 1, decisionsDays: 1)
            #expect(try OldestKept(organization: organization, kept, db).interaction == nil)
        case .cursor:
            let position = try #require(InteractionPosition(rawValue: 300))
            #expect(try InteractionRow.isKnown(.position(position), in: organization, db))
        case .oldestRequest: #expect(try ConsentRequestForgetting.oldest(in: organization, db) == nil)
        case .oldRequests:
            #expect(try ConsentRequestForgetting.remove(from: organization, before: .noon, limit: 500, db) == 0)
        }
    }
}
