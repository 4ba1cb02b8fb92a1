import Identifiers
import PostgresClient
import SQL
import SQLStorage
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// A node's folder has clicks that were answered; the database knows how many there were when the node told last.
@Suite struct NodeRemovalTests {
    /// A database with a node.
    private struct Bench {
        let fixture: PostgresFixture
        let id: FolderID
        let slot: NodeSlot
        let name: NodeName
        let node: NodeIdentity

        init() async throws {
            fixture = try await PostgresFixture()
            var generator = SystemRandomNumberGenerator()
            let id = FolderID(using: &generator)
            let name = try #require(NodeName("n2"))
            let node = NodeIdentity(id: id, slot: nil, name: name, place: "here", version: "1", peerAddress: nil)
            slot = try await PostgresSchema.withConnection(fixture.settings) { connection in
                try connection.begin()
                let slot = try NodeRow.register(
                    node, isRestored: false, seen: nil, instance: [1], connection)
                try connection.commit()
                return slot
            }
            (self.id, self.name, self.node) = (id, name, node)
        }

        func feed() -> NodeFeed {
            NodeFeed(
                NodeRegistration(node: node, slot: slot, instance: [1], madeAt: .now), fixture.settings,
                of: PostgresFixture.tenant, known: KnownGeneration(of: nil),
                sealing: SealingKeys(key: PostgresFixture.erasureKey), clock: { .noon }, noteTime: { _ in })
        }

        func run<Value: Sendable>(
            _ body: @escaping @Sendable (PostgresConnection) throws -> Value
        ) async throws -> Value {
            try await PostgresSchema.withConnection(fixture.settings) { connection in
                try connection.begin()
                let value = try body(connection)
                try connection.commit()
                return value
            }
        }

        func set(_ columns: String) async throws {
            try await run { connection in try connection.statement("UPDATE nodes SET \(columns)").run() }
        }

        func remove(isForced: Bool = false) async throws -> NodeRemoval {
            try await run { [name] connection in try NodeRow.remove(name, isForced: isForced, connection) }
        }

        var state: (Node.State, Int, isAlive: Bool)? {
            get async throws {
                try await run { connection in
                    try NodeRow.all(connection).first.map { ($0.state, $0.spooled, $0.isAlive) }
                }
            }
        }
    }

    @Test("a node that did not say that it ended is removed by force alone, and nothing moves before")
    func silent() async throws {
        let bench = try await Bench()
        try await bench.set("spooled = 0, beat_at = now() - interval '9 seconds'")
        #expect(try await bench.remove() == .mayHaveClicks)
        let error = await #expect(throws: ClicksElsewhere.self) {
            try await MigrationClaim.requireAlone(bench.fixture.settings, but: nil)
        }
        #expect(error?.description.contains("n2 (it did not say that it ended)") == true)
        try await MigrationClaim.requireAlone(bench.fixture.settings, but: bench.id)
        #expect(try await bench.remove(isForced: true) == .removed)
        try await MigrationClaim.requireAlone(bench.fixture.settings, but: nil)
    }

    @Test(
        "a sign of life from before the database's clock went back is none, and one of a clock that differs a little is",
        arguments: [("1 hour", false), ("9 seconds", false), ("7 seconds", true), ("-7 seconds", true)])
    func future(_ ahead: String, _ isAlive: Bool) async throws {
        let bench = try await Bench()
        try await bench.set("spooled = 0, beat_at = now() + interval '\(ahead)'")
        #expect(try #require(try await bench.state) == (.running, 0, isAlive))
        #expect(try await bench.run { try NodeRow.alive(but: nil, $0) } == (isAlive ? ["n2"] : []))
        var generator = SystemRandomNumberGenerator()
        let restored = NodeIdentity(
            id: FolderID(using: &generator), slot: nil, name: bench.name, place: "there", version: "1")
        if isAlive {
            await #expect(throws: NodeRefusal.self) {
                try await bench.run { try NodeRow.register(restored, isRestored: true, instance: [2], $0) }
            }
            #expect(try await bench.remove(isForced: true) == .alive)
        } else {
            let slot = try await bench.run { try NodeRow.register(restored, isRestored: true, instance: [2], $0) }
            #expect(slot == bench.slot)
            try await bench.set("beat_at = now() + interval '\(ahead)'")
            #expect(try await bench.remove(isForced: true) == .removed)
        }
    }

    @Test(
        "a node without seals counts for an hour, and with a sign of life in the future",
        arguments: [("30 minutes", true), ("-30 minutes", true), ("2 hours", true), ("-2 hours", false)])
    func futureWriter(_ ahead: String, _ counts: Bool) async throws {
        let bench = try await Bench()
        try await bench.set("seals = false, beat_at = now() + interval '\(ahead)'")
        #expect(try await bench.run { try NodeRow.writerWithoutSeals($0) } == (counts ? bench.name : nil))
    }

    @Test("a folder whose process died before the database's clock went back starts at another place")
    func futurePlace() async throws {
        let bench = try await Bench()
        let moved = NodeIdentity(id: bench.id, slot: bench.slot, name: bench.name, place: "there", version: "1")
        await #expect(throws: NodeBusy.self) {
            try await bench.run { _ = try NodeRow.register(moved, isRestored: true, instance: [2], $0) }
        }
        try await bench.set("beat_at = now() + interval '1 hour'")
        let slot = try await bench.run { try NodeRow.register(moved, isRestored: true, instance: [2], $0) }
        #expect(slot == bench.slot)
    }

    @Test("a node that ended with clicks is removed by force alone, and nothing moves before")
    func ended() async throws {
        let bench = try await Bench()
        try await bench.set("spooled = 3, state = 2")
        #expect(try await bench.remove() == .hasClicks(3))
        await #expect(throws: ClicksElsewhere(holders: [ClicksElsewhere.Holder(name: "n2", clicks: 3)])) {
            try await MigrationClaim.requireAlone(bench.fixture.settings, but: nil)
        }
        try await bench.set("spooled = 0")
        try await MigrationClaim.requireAlone(bench.fixture.settings, but: nil)
        #expect(try await bench.remove() == .removed)
    }

    @Test("a node that ends says how many clicks it has, and again what it drained after that")
    func leaving() async throws {
        let bench = try await Bench()
        let feed = bench.feed()
        feed.set(spooled: 5)
        await feed.leave()
        #expect(try #require(try await bench.state) == (.stopped, 5, false))
        feed.set(spooled: 0)
        await feed.leave()
        #expect(try #require(try await bench.state) == (.stopped, 0, false))
        feed.close()
    }

    @Test("a process that ends before it has counted its clicks does not say that there are none")
    func leavingUncounted() async throws {
        let bench = try await Bench()
        try await bench.set("spooled = 7")
        let feed = bench.feed()
        _ = try await feed.page(after: .beginning)
        #expect(try #require(try await bench.state) == (.running, 7, true))
        await feed.leave()
        #expect(try #require(try await bench.state) == (.running, 7, false))
        feed.close()
    }
}
