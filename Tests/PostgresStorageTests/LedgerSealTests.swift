import Consent
import Identifiers
import Ledger
import PostgresClient
import SQL
import SQLStorage
import StorageContracts
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import PostgresStorage

/// Entries that are written into the database without a node, and nodes of versions that seal nothing.
@Suite struct LedgerSealTests {
    /// What a node of a version without seals does.
    private static let unsealedAppend = """
        INSERT INTO ledger_edges (organization, size, hashes) VALUES (1, 9, '\\x00')
        ON CONFLICT (organization) DO UPDATE SET size = excluded.size, hashes = excluded.hashes;
        """

    /// A node of a version without seals.
    private static func oldNode(state: Int = 1, seenAt time: String = "now()") -> String {
        """
        INSERT INTO nodes (
            slot, id, name, place, instance, version, state, position, mark, spooled, ring, beats, beat_at
        ) VALUES (77, 'old', 'old', 'old', '\\x00', '0', \(state), 0, 0, 0, 0, 0, \(time));
        """
    }

    private let node: NodeIdentity

    init() throws {
        var generator = SystemRandomNumberGenerator()
        node = NodeIdentity(
            id: FolderID(using: &generator), slot: nil, name: try #require(NodeName("own")), place: "own", version: "1")
    }

    /// A database with two organizations, whose ledgers have one entry each.
    private func filled() async throws -> PostgresFixture {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try fixture.close()
        return fixture
    }

    private func isDemanded(_ fixture: PostgresFixture) async throws -> Bool {
        try await PostgresSchema.withConnection(fixture.settings) { try SealDemand.isBegun($0) }
    }

    /// Whether each ledger has its seal, as a node finds that starts.
    private func areSealed(_ fixture: PostgresFixture, seals: SealMemory = .none) async throws -> [Bool] {
        let (_, ports) = try fixture.open(node: node, seals: seals)
        defer { try? fixture.close() }
        return try await [ports.acme, ports.globex].asyncMap {
            try #require(try await ports.ledgers.head(of: $0)).isSealed
        }
    }

    @Test("nothing is entered behind an entry that was written without a node; the signer looks at that ledger alone")
    func refuses() async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        try await fixture.run(PostgresFixture.appended)
        let (_, ports) = try fixture.open(node: node)
        #expect(try await ports.ledgers.head(of: ports.acme)?.isSealed == false)
        let reason = LedgerInconsistency(ports.acme, .derived(.seal))
        _ = ports.ledgers.drainGrown()
        await #expect(throws: reason) { try await ports.record(.given, for: .ana) }
        #expect(ports.ledgers.drainGrown() == [ports.acme])
        #expect(try await ports.ledgers.head(of: ports.acme)?.head.size == 2)
        try await ports.record(.given, for: .ana, in: ports.globex)
        #expect(try await ports.ledgers.head(of: ports.globex)?.isSealed == true)
        try fixture.close()
    }

    @Test(
        "nor behind one that follows those that a node has in memory",
        arguments: [
            PostgresFixture.appended,
            """
            UPDATE ledger_runs SET count = count + 1 WHERE organization = 1
            AND first_leaf = (SELECT max(first_leaf) FROM ledger_runs WHERE organization = 1)
            """,
        ])
    func refusesInMemory(_ change: String) async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        let (_, ports) = try fixture.open(node: node)
        try await ports.record(.given, for: .ana)
        try await fixture.run(change)
        _ = ports.ledgers.drainGrown()
        await #expect(throws: LedgerInconsistency(ports.acme, .derived(.seal))) {
            try await ports.record(.withdrawn, for: .ana)
        }
        #expect(ports.ledgers.drainGrown() == [ports.acme])
        #expect(try await ports.ledgers.head(of: ports.acme)?.isSealed == false)
        try fixture.close()
    }

    @Test(
        "a stored state that was changed has no seal, and neither has that of another ledger",
        arguments: [
            "UPDATE ledger_edges SET seal = set_byte(seal, 31, get_byte(seal, 31) # 1) WHERE organization = 1",
            "UPDATE ledger_edges SET seal = substr(seal, 1, 31) WHERE organization = 1",
            "UPDATE ledger_edges SET seal = '\\x' WHERE organization = 1",
            "UPDATE ledger_edges SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) WHERE organization = 1",
            "UPDATE ledger_edges SET size = 2 WHERE organization = 1",
            """
            UPDATE ledger_edges e SET hashes = o.hashes, seal = o.seal FROM ledger_edges o
            WHERE e.organization = 1 AND o.organization = 2
            """,
            "DELETE FROM ledger_edges WHERE organization = 1",
        ])
    func changed(_ change: String) async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        #expect(try await areSealed(fixture) == [true, true])
        try await fixture.run(change)
        #expect(try await areSealed(fixture) == [false, true])
    }

    @Test(
        "seals are demanded once no node of a version without them writes, and not before",
        arguments: [
            (oldNode(), false), (oldNode(seenAt: "now() + interval '1 day'"), false),
            (oldNode(seenAt: "now() - interval '59 minutes'"), false),
            (oldNode(seenAt: "now() - interval '61 minutes'"), true), (oldNode(state: 2), true),
        ])
    func begins(_ node: String, _ begins: Bool) async throws {
        let fixture = try await filled()
        try await fixture.run(node)
        try fixture.tryDemand()
        #expect(try await isDemanded(fixture) == begins)
    }

    @Test("beside a node of a version without seals nothing is refused, and what there is then is sealed as it is")
    func oldNodes() async throws {
        let fixture = try await filled()
        try await fixture.run(Self.oldNode() + Self.unsealedAppend + PostgresFixture.appended)
        try fixture.tryDemand()
        #expect(try await areSealed(fixture) == [true, true], "none is demanded")
        try await fixture.run("UPDATE nodes SET state = 2 WHERE name = 'old'")
        try fixture.tryDemand()
        #expect(try await isDemanded(fixture))
        #expect(try await areSealed(fixture) == [true, true])
    }

    @Test("a ledger that cannot be read keeps no other one from its seal")
    func unreadable() async throws {
        let fixture = try await filled()
        try await fixture.run(
            """
            UPDATE ledger_runs SET count = 300 WHERE organization = 1;
            DELETE FROM ledger_edges WHERE organization = 1;
            UPDATE ledger_edges SET seal = NULL;
            """)
        try fixture.tryDemand()
        #expect(try await isDemanded(fixture))
        let (_, ports) = try fixture.open(node: node)
        #expect(try await ports.ledgers.head(of: ports.globex)?.isSealed == true)
        await #expect(throws: StorageError.unreadable) { try await ports.ledgers.head(of: ports.acme) }
        try fixture.close()
    }

    @Test("what a version without seals enters between two passes is sealed by the second one")
    func passes() async throws {
        let fixture = try await filled()
        let seals = try LedgerSeals(erasureKey: PostgresFixture.erasureKey)
        try await fixture.withStorage { connection, db in
            var present = PresentSeals(seals)
            for entered in [PostgresFixture.appended + Self.unsealedAppend, PostgresFixture.appended, ""] {
                try connection.begin()
                #expect(try present.seal(after: .min, count: 9, db) == 2)
                #expect(try present.seal(after: 2, count: 9, db) == nil)
                try connection.commit()
                try connection.run(script: entered)
            }
            try connection.run(script: "ALTER TABLE ledger_edges ALTER seal SET NOT NULL")
        }
        #expect(try await areSealed(fixture) == [true, true])
    }

    @Test("an append of a version without seals fails once they are demanded, and closes nothing")
    func fenced() async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        await #expect(throws: (any Error).self) { try await fixture.run(Self.unsealedAppend) }
        #expect(try await areSealed(fixture) == [true, true])
    }

    @Test("a node demands seals in a database of which its folder knows that, whatever the column says")
    func remembered() async throws {
        let fixture = try await filled()
        let number = try fixture.open().0.databaseNumber
        try fixture.close()
        try await fixture.run(Self.oldNode() + "UPDATE ledger_edges SET seal = NULL WHERE organization = 1")
        let noted = Mutex<[String]>([])
        let note: @Sendable (String) -> Void = { number in noted.withLock { $0.append(number) } }
        #expect(try await areSealed(fixture, seals: SealMemory(database: number, note: note)) == [false, true])
        #expect(noted.withLock { $0 } == [number].compactMap(\.self))
        try await fixture.run("ALTER TABLE ledger_edges ALTER seal DROP NOT NULL")
        // That of a copy, for example.
        #expect(try await areSealed(fixture, seals: SealMemory(database: "0/0", note: note)) == [true, true])
    }

    @Test("a folder keeps that seals are demanded")
    func noted() async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        let noted = Mutex<[String]>([])
        let memory = SealMemory(database: nil) { number in noted.withLock { $0.append(number) } }
        let (storage, _) = try fixture.open(node: node, seals: memory)
        #expect(noted.withLock { $0 } == [storage.databaseNumber].compactMap(\.self))
        try fixture.close()
    }

    @Test("a state that was signed is sealed once more, and no other one")
    func sealedAgain() async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        try await fixture.run("UPDATE ledger_edges SET seal = '\\x' WHERE organization = 1")
        let (_, ports) = try fixture.open(node: node)
        let found = try #require(try await ports.ledgers.head(of: ports.acme))
        var hasher = TreeHasher()
        try await ports.ledgers.seal(ports.acme, at: TreeHead(size: 1, root: hasher.leaf([1])))
        #expect(try await ports.ledgers.head(of: ports.acme)?.isSealed == false)
        try await ports.ledgers.seal(ports.acme, at: found.head)
        #expect(try await ports.ledgers.head(of: ports.acme)?.isSealed == true)
        try await ports.record(.given, for: .ana)
        try fixture.close()
    }

    @Test("a state that was signed takes entries once it is sealed, also if one was refused before that")
    func sealedAfterRefusal() async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        let (_, ports) = try fixture.open(node: node)
        let signed = try #require(try await ports.ledgers.head(of: ports.acme)?.head)
        try await fixture.run("UPDATE ledger_edges SET seal = '\\x' WHERE organization = 1")
        await #expect(throws: LedgerInconsistency(ports.acme, .derived(.seal))) {
            try await ports.record(.given, for: .ana)
        }
        // What it had in memory says nothing about the seal.
        let found = try #require(try await ports.ledgers.head(of: ports.acme))
        #expect(found.head == signed && !found.isSealed)
        #expect(ports.ledgers.inconsistencies.isEmpty)
        try await ports.ledgers.seal(ports.acme, at: signed)
        try await ports.record(.given, for: .ana)
        try fixture.close()
    }

    @Test("a database that a storage is moved to demands none until a node runs on it")
    func moved() async throws {
        let fixture = try await filled()
        try fixture.tryDemand()
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            try connection.begin()
            try SealDemand.reset(connection)
            try connection.commit()
        }
        #expect(try await !isDemanded(fixture))
        // The copied ledgers are sealed as they are.
        try fixture.tryDemand()
        #expect(try await areSealed(fixture) == [true, true])
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
