import Identifiers
import PostgresClient
import SQL
import SQLStorage
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// A node whose database is put back to an earlier state.
@Suite struct PutBackTests {
    /// A node that runs and follows the rules of a database.
    private struct RunningNode {
        let fixture: PostgresFixture
        let identity: NodeIdentity
        let registration: NodeRegistration
        let feed: NodeFeed
        let cursor: RuleCursor

        /// It has written its row once, and has a change of the rules.
        init() async throws {
            fixture = try await PostgresFixture()
            identity = try PutBackTests.identity("own")
            registration = try NodeRegistration.make(
                identity, isRestored: false, fixture.settings, noteTime: { _ in }, willWait: { _ in },
                check: { _ in })
            feed = NodeFeed(
                registration, fixture.settings, of: PostgresFixture.tenant, known: KnownGeneration(of: nil),
                sealing: SealingKeys(key: PostgresFixture.erasureKey),
                clock: { .noon }, noteTime: { _ in })
            try Self.enterChange(fixture)
            guard case .changes(_, let next) = try await feed.page(after: .beginning) else {
                throw StorageError.unreadable
            }
            cursor = next
        }

        private static func enterChange(_ fixture: PostgresFixture) throws {
            let connection = try PostgresConnection(fixture.settings.location, password: nil)
            defer { connection.close() }
            try connection.begin()
            let change = RuleChange.privacyControl(isHonored: true, try OrganizationID("acme"))
            let head = try #require(try RuleChangeRow.insert([change], after: .beginning, connection).last)
            try connection.statement("UPDATE writer SET feed_position = ?, feed_mark = ?")
                .run(Int64(bitPattern: head.position), Int64(bitPattern: head.mark))
            try connection.commit()
        }

        /// Asks as the follower does.
        /// - Returns: whether the answer was another history.
        func isOtherHistory(after cursor: RuleCursor) async throws -> Bool {
            if case .replaced(isOtherHistory: true) = try await feed.page(after: cursor) { true } else { false }
        }
    }

    private static let withoutTheChange = """
        DELETE FROM rule_changes;
        UPDATE writer SET feed_position = 0, feed_mark = 0;
        """
    private static let beforeTheProcess = """
        UPDATE nodes SET instance = '\\x00', beats = 0, beat_at = now() - interval '1 hour';
        """
    private static let beforeTheNode = "DELETE FROM nodes;"

    private static func identity(_ name: String, slot: NodeSlot? = nil) throws -> NodeIdentity {
        var generator = SystemRandomNumberGenerator()
        return NodeIdentity(
            id: FolderID(using: &generator), slot: slot, name: try #require(NodeName(name)), place: name, version: "1")
    }

    @Test(
        "a process that the database does not have is told of the other history, and goes on there",
        arguments: [beforeTheProcess, beforeTheNode])
    func goesOn(_ earlier: String) async throws {
        let node = try await RunningNode()
        try await node.fixture.run(Self.withoutTheChange + earlier)
        #expect(try await node.isOtherHistory(after: node.cursor))
        #expect(
            try await node.isOtherHistory(after: node.cursor), "as often as the follower asks, until it has the rules")
        _ = try await node.feed.rules()
        #expect(try await !node.isOtherHistory(after: .beginning))
        #expect(!node.feed.wasReplaced)
        try await node.fixture.run(
            "DO $$ BEGIN ASSERT (SELECT count(*) FROM nodes WHERE name = 'own' AND slot = 0) = 1; END $$")
        node.feed.close()
    }

    @Test(
        "an earlier state with the same rules is noticed, too",
        arguments: [beforeTheProcess, "UPDATE nodes SET beats = 0;"])
    func sameRules(_ earlier: String) async throws {
        let node = try await RunningNode()
        try await node.fixture.run(earlier)
        #expect(try await node.isOtherHistory(after: node.cursor))
        _ = try await node.feed.rules()
        #expect(try await !node.isOtherHistory(after: node.cursor))
        #expect(!node.feed.wasReplaced)
        node.feed.close()
    }

    @Test(
        "in the same history, a process whose row another one has, or that was removed, ends",
        arguments: ["UPDATE nodes SET instance = '\\x00';", beforeTheNode])
    func ends(_ change: String) async throws {
        let node = try await RunningNode()
        try await node.fixture.run(change)
        await #expect(throws: NodeReplaced.self) { try await node.isOtherHistory(after: node.cursor) }
        #expect(node.feed.wasReplaced)
        node.feed.close()
    }

    @Test("of a process and its clone, the one that writes after the other ends, and the other goes on")
    func clone() async throws {
        let node = try await RunningNode()
        #expect(try await !node.isOtherHistory(after: node.cursor))
        // As the other one does.
        try await node.fixture.run("UPDATE nodes SET beats = beats + 1;")
        await #expect(throws: NodeReplaced.self) { try await node.isOtherHistory(after: node.cursor) }
        #expect(node.feed.wasReplaced)
        try await node.fixture.run("DO $$ BEGIN ASSERT (SELECT beats FROM nodes) = 3; END $$")
        node.feed.close()
    }

    @Test("a process whose slot is another node's there tells of the other history before it ends")
    func slotTaken() async throws {
        let node = try await RunningNode()
        try await node.fixture.run(
            Self.withoutTheChange + "UPDATE nodes SET id = 'other', name = 'other', instance = '\\x00';")
        #expect(try await node.isOtherHistory(after: node.cursor))
        _ = try await node.feed.rules()
        #expect(!node.feed.wasReplaced)
        await #expect(throws: NodeReplaced.self) { try await node.isOtherHistory(after: .beginning) }
        #expect(node.feed.wasReplaced)
        node.feed.close()
    }

    /// A whole storage of a running node, which has written and polled.
    private static func openStorage(_ fixture: PostgresFixture) async throws -> PostgresStorage {
        let storage = try PostgresStorage.openNow(
            fixture.settings, folder: PostgresFixture.folder, isNew: true, node: try identity("own"),
            erasureKey: PostgresFixture.erasureKey, ledgerHost: StorageUnderTest.ledgerHost,
            observer: RecordingObserver(), clock: { .noon })
        try await write(to: storage)
        _ = try await storage.stores.rules.poll(after: .beginning)
        return storage
    }

    private static func write(to storage: PostgresStorage) async throws {
        let token = try #require(
            try await storage.stores.leases.acquire(.retention, at: .noon, until: .noon.advanced(by: .seconds(60))))
        try await storage.stores.leases.release(token)
    }

    @Test(
        "an earlier state takes no write before the node has looked at it, whether or not a poll has found it",
        arguments: [beforeTheProcess, "UPDATE nodes SET beats = 0;", "UPDATE writer SET generation = 0;"])
    func writes(_ earlier: String) async throws {
        let fixture = try await PostgresFixture()
        let storage = try await Self.openStorage(fixture)
        try await fixture.run(earlier)
        await #expect(throws: StorageError.putBack) { try await Self.write(to: storage) }
        guard case .replaced(isOtherHistory: true) = try await storage.stores.rules.poll(after: .beginning) else {
            Issue.record("the poll did not find the earlier state")
            return
        }
        await #expect(throws: StorageError.putBack) { try await Self.write(to: storage) }
        _ = try await storage.stores.organizations.all()
        _ = try await storage.stores.rules.snapshot()
        try await Self.write(to: storage)
        guard case .changes(let changes, _) = try await storage.stores.rules.poll(after: .beginning) else {
            Issue.record("the earlier state was found twice")
            return
        }
        #expect(changes.isEmpty)
        try await Self.write(to: storage)
        try storage.close()
    }

    @Test("an earlier state without a row of the node takes no write")
    func writesWithoutTheNode() async throws {
        let fixture = try await PostgresFixture()
        let storage = try await Self.openStorage(fixture)
        try await fixture.run(Self.beforeTheNode)
        await #expect(throws: StorageError.putBack) { try await Self.write(to: storage) }
        try storage.close()
    }

    @Test("a write that another node has made since, or a poll, is not taken for an earlier state")
    func goesOnWriting() async throws {
        let fixture = try await PostgresFixture()
        let storage = try await Self.openStorage(fixture)
        try await fixture.run("UPDATE writer SET generation = generation + 1, instance = NULL;")
        try await Self.write(to: storage)
        for _ in 0..<3 {
            _ = try await storage.stores.rules.poll(after: .beginning)
            try await Self.write(to: storage)
        }
        try storage.close()
    }

    @Test("a start tells a node that was removed from one that the database does not know yet")
    func start() async throws {
        let node = try await RunningNode()
        node.feed.close()
        let known = NodeIdentity(
            id: node.identity.id, slot: node.registration.slot, name: node.identity.name, place: "own", version: "1")
        func refusal(seen: RuleCursor?) async -> NodeRefusal? {
            await #expect(throws: NodeRefusal.self) {
                try await PostgresSchema.withConnection(node.fixture.settings) { connection in
                    _ = try NodeRow.register(known, isRestored: true, seen: seen, instance: [1], connection)
                }
            }
        }
        try await node.fixture.run(Self.beforeTheNode)
        #expect(await refusal(seen: nil) == .removed)
        #expect(await refusal(seen: node.cursor) == .removed)
        let other = RuleCursor(position: node.cursor.position, mark: node.cursor.mark &+ 1)
        #expect(await refusal(seen: other) == .unknown)
        try await node.fixture.run(Self.withoutTheChange)
        #expect(await refusal(seen: node.cursor) == .unknown)
        #expect(NodeRefusal.unknown.description.contains("node.json"))
    }
}
