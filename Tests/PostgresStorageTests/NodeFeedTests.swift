import Identifiers
import PostgresClient
import SQL
import SQLStorage
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

@Suite struct NodeFeedTests {
    @Test("a node that is behind by more than a page is not fresh before it has applied the last one")
    func pages() async throws {
        let fixture = try await PostgresFixture()
        let head = try enter(2_500, fixture)
        let registration = NodeRegistration(node: nil, slot: .single, instance: [1], madeAt: .now)
        let feed = NodeFeed(
            registration, fixture.settings, of: PostgresFixture.tenant, known: KnownGeneration(of: nil),
            sealing: SealingKeys(key: PostgresFixture.erasureKey), clock: { .noon },
            noteTime: { _ in })
        var (cursor, polls) = (RuleCursor.beginning, 0)
        while cursor != head {
            guard case .changes(let changes, let next) = try await feed.page(after: cursor) else {
                throw StorageError.unreadable
            }
            #expect(!changes.isEmpty)
            #expect(feed.freshness.staleness == nil, "after \(polls) pages that were applied")
            (cursor, polls) = (next, polls + 1)
        }
        #expect(polls == 3)
        _ = try await feed.page(after: cursor)
        #expect(feed.freshness.staleness != nil)
        feed.close()
    }

    @Test("until when the rules are known is told when they are, and no earlier")
    func known() async throws {
        let fixture = try await PostgresFixture()
        let head = try enter(1, fixture)
        let known = Note<ContinuousClock.Instant?>(nil)
        let feed = NodeFeed(
            NodeRegistration(node: nil, slot: .single, instance: [1], madeAt: .now), fixture.settings,
            of: PostgresFixture.tenant, known: KnownGeneration(of: nil),
            sealing: SealingKeys(key: PostgresFixture.erasureKey), clock: { .noon },
            noteTime: { if case .rulesKnown(let end) = $0 { known.value = end } })
        _ = try await feed.page(after: .beginning)
        #expect(known.value == nil, "the change is not applied yet")
        let began = ContinuousClock.now
        _ = try await feed.page(after: head)
        let (end, asked) = (try #require(known.value), began...ContinuousClock.now)
        #expect(asked.contains(end - .seconds(1)))
        feed.close()
    }

    @Test("with the changes comes the latest time at which any node wrote", arguments: [true, false])
    func written(asChanges: Bool) async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try fixture.close()
        let latest = Note<Timestamp?>(nil)
        let feed = NodeFeed(
            NodeRegistration(node: nil, slot: .single, instance: [1], madeAt: .now), fixture.settings,
            of: PostgresFixture.tenant, known: KnownGeneration(of: nil),
            sealing: SealingKeys(key: PostgresFixture.erasureKey), clock: { .distantPast },
            noteTime: { if case .written(let time, _) = $0 { latest.value = time } })
        if asChanges { _ = try await feed.page(after: .beginning) } else { _ = try await feed.rules() }
        #expect(latest.value == .noon)
        feed.close()
    }

    /// Enters changes as somebody else's.
    private func enter(_ count: Int, _ fixture: PostgresFixture) throws -> RuleCursor {
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        try connection.begin()
        let organization = try OrganizationID("acme")
        let changes = (0..<count).map { RuleChange.privacyControl(isHonored: $0.isMultiple(of: 2), organization) }
        let head = try #require(try RuleChangeRow.insert(changes, after: .beginning, connection).last)
        try connection.statement("UPDATE writer SET feed_position = ?, feed_mark = ?")
            .run(Int64(bitPattern: head.position), Int64(bitPattern: head.mark))
        try connection.commit()
        return head
    }
}
