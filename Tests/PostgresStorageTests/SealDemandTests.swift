import Identifiers
import Ledger
import PostgresClient
import SQLStorage
import StorageContracts
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import PostgresStorage

/// How the demand for seals begins, and what is told of it.
@Suite struct SealDemandTests {
    /// A running node of a version without seals.
    private static let oldNode = """
        INSERT INTO nodes (
            slot, id, name, place, instance, version, state, position, mark, spooled, ring, beats, beat_at
        ) VALUES (77, 'old', 'old', 'old', '\\x00', '0', 1, 0, 0, 0, 0, 0, now());
        """
    private static let unsealed = "UPDATE ledger_edges SET seal = NULL"

    private let start = ContinuousClock.now
    private let events = EventList()

    private final class EventList: Sendable {
        private let events = Mutex<[SealDemandEvent]>([])

        var all: [SealDemandEvent] { events.withLock { $0 } }

        func add(_ event: SealDemandEvent) { events.withLock { $0.append(event) } }
    }

    /// A database with two organizations, whose ledgers have one entry each, and its seal.
    private func filled() async throws -> PostgresFixture {
        let fixture = try await PostgresFixture()
        try await fixture.open().1.makeOrganizations()
        try fixture.close()
        return fixture
    }

    private func demand(_ fixture: PostgresFixture) throws -> SealDemand {
        SealDemand(
            try LedgerSeals(erasureKey: PostgresFixture.erasureKey), fixture.settings, of: PostgresFixture.tenant,
            SealingKeys(key: PostgresFixture.erasureKey), tell: { [events] in events.add($0) }, note: {})
    }

    private func node() throws -> NodeIdentity {
        var generator = SystemRandomNumberGenerator()
        return NodeIdentity(
            id: FolderID(using: &generator), slot: nil, name: try #require(NodeName("own")), place: "own", version: "1")
    }

    private func isDemanded(_ fixture: PostgresFixture) async throws -> Bool {
        try await PostgresSchema.withConnection(fixture.settings) { try SealDemand.isBegun($0) }
    }

    @Test("a database in which each entry was sealed demands seals without a word")
    func quiet() async throws {
        for fixture in [try await PostgresFixture(), try await filled()] {
            try demand(fixture).attempt()
            #expect(try await isDemanded(fixture))
        }
        #expect(events.all == [])
    }

    @Test(
        "the process that makes the column NOT NULL tells it, if a ledger had no seal or an older node was there",
        arguments: [unsealed, oldNode + "UPDATE nodes SET state = 2 WHERE name = 'old'"])
    func tells(_ change: String) async throws {
        let fixture = try await filled()
        try await fixture.run(change)
        try demand(fixture).attempt()
        #expect(try await isDemanded(fixture))
        #expect(events.all == [.begun])
        try demand(fixture).attempt()
        #expect(events.all == [.begun], "one that finds it so does not")
    }

    @Test("an open storage tells it")
    func open() async throws {
        let fixture = try await filled()
        try await fixture.run(Self.unsealed)
        _ = try fixture.open(node: try node(), tellOfSeals: { [events] in events.add($0) })
        #expect(await eventually { events.all == [.begun] })
        try fixture.close()
    }

    @Test("an older node that is waited for is named once after a minute, and then that the demand has begun")
    func waits() async throws {
        let fixture = try await filled()
        try await fixture.run(Self.oldNode)
        let demand = try demand(fixture)
        for seconds in [0, 60] { demand.attempt(at: start + .seconds(seconds)) }
        #expect(events.all == [])
        let waiting = SealDemandEvent.delayed(by: .olderNode(try #require(NodeName("old"))))
        for seconds in [61, 71] { demand.attempt(at: start + .seconds(seconds)) }
        #expect(events.all == [waiting])
        #expect(try await !isDemanded(fixture))
        #expect(!demand.attempt(at: start + .seconds(72)), "it goes on")
        // As its next version does.
        try await fixture.run("UPDATE nodes SET seals = true WHERE name = 'old'")
        demand.attempt(at: start + .seconds(81))
        #expect(try await isDemanded(fixture))
        #expect(events.all == [waiting, .begun])
    }

    @Test("the reason for which attempts fail is told once after a minute, and then that the demand has begun")
    func fails() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.run("ALTER TABLE folder RENAME TO away")
        let demand = try demand(fixture)
        for seconds in [0, 60] { demand.attempt(at: start + .seconds(seconds)) }
        #expect(events.all == [])
        let failing = SealDemandEvent.delayed(by: .failure(EmptiedDatabase().description))
        for seconds in [61, 71] { demand.attempt(at: start + .seconds(seconds)) }
        #expect(events.all == [failing])
        try await fixture.run("ALTER TABLE away RENAME TO folder")
        demand.attempt(at: start + .seconds(81))
        #expect(events.all == [failing, .begun])
    }

    @Test("a process that demands seals makes a nullable column NOT NULL beside an older node, and seals no ledger")
    func demandsAgain() async throws {
        let fixture = try await filled()
        try await fixture.run(Self.oldNode + "UPDATE ledger_edges SET seal = NULL WHERE organization = 1")
        let demand = try demand(fixture)
        demand.begin()
        #expect(demand.attempt())
        #expect(try await isDemanded(fixture))
        #expect(events.all == [.begunAgain])
        let (_, ports) = try fixture.open(node: try node())
        #expect(try await ports.ledgers.head(of: ports.acme)?.isSealed == false)
        #expect(try await ports.ledgers.head(of: ports.globex)?.isSealed == true)
        try fixture.close()
        #expect(demand.attempt(), "a column that is NOT NULL stays so")
        #expect(events.all == [.begunAgain])
    }

    @Test("it goes on until the column is NOT NULL, and warns after a minute")
    func goesOn() async throws {
        let fixture = try await filled()
        try await fixture.run("ALTER TABLE folder RENAME TO away")
        let demand = try demand(fixture)
        demand.begin()
        for seconds in [0, 61] { #expect(!demand.attempt(at: start + .seconds(seconds))) }
        try await fixture.run("ALTER TABLE away RENAME TO folder")
        #expect(demand.attempt(at: start + .seconds(71)))
        #expect(try await isDemanded(fixture))
        #expect(events.all == [.delayed(by: .failure(EmptiedDatabase().description)), .begunAgain])
    }

    @Test("a node that demands seals from what its folder knows makes the column NOT NULL again")
    func remembered() async throws {
        let fixture = try await filled()
        let number = try fixture.open().0.databaseNumber
        try fixture.close()
        try await fixture.run(Self.oldNode)
        let memory = SealMemory(database: number) { _ in }
        _ = try fixture.open(node: try node(), seals: memory, tellOfSeals: { [events] in events.add($0) })
        #expect(await eventually { events.all == [.begunAgain] })
        #expect(try await isDemanded(fixture))
        try fixture.close()
    }

    @Test("once it is closed, it tells nothing")
    func closed() async throws {
        let fixture = try await filled()
        try await fixture.run(Self.unsealed)
        let demand = try demand(fixture)
        demand.close()
        demand.attempt()
        #expect(try await !isDemanded(fixture))
        #expect(events.all == [])
    }
}
