import Consent
import Cryptography
import Identifiers
import Ledger
import SQLStorage
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// Ledgers that an operator seals.
@Suite struct LedgerSealingTests {
    /// 255 events are entered behind the only entry of the first organization, with the hashes of their whole tile.
    private static let appendedTile = """
        INSERT INTO ledger_events (organization, entry)
            SELECT organization, entry FROM ledger_events, generate_series(1, 255) WHERE organization = 1;
        INSERT INTO ledger_runs (organization, first_leaf, count, kind, first_id, last_id)
            SELECT 1, 1, 255, 3, max(number) - 254, max(number) FROM ledger_events;
        INSERT INTO ledger_tiles (organization, level, tile, hashes)
            SELECT 1, 0, 0, string_agg(sha256('\\x00'::bytea || entry), ''::bytea ORDER BY number)
            FROM ledger_events WHERE organization = 1;
        """

    /// Three events are entered behind the only entry of the first organization: two of them as the same entry.
    private static let overlapping = """
        INSERT INTO ledger_events (organization, entry)
            SELECT organization, entry FROM ledger_events, generate_series(1, 3) WHERE organization = 1;
        INSERT INTO ledger_runs (organization, first_leaf, count, kind, first_id, last_id)
            SELECT 1, 1, 2, 3, max(number) - 2, max(number) - 1 FROM ledger_events;
        INSERT INTO ledger_runs (organization, first_leaf, count, kind, first_id, last_id)
            SELECT 1, 2, 1, 3, max(number), max(number) FROM ledger_events;
        """

    private static let newestGone =
        "DELETE FROM ledger_events WHERE number = (SELECT max(number) FROM ledger_events)"

    private let node: NodeIdentity

    init() throws {
        var generator = SystemRandomNumberGenerator()
        node = NodeIdentity(
            id: FolderID(using: &generator), slot: nil, name: try #require(NodeName("own")), place: "own", version: "1")
    }

    private func sealing(
        _ fixture: PostgresFixture, folder: FolderID = PostgresFixture.folder,
        erasureKey: SecretBytes = PostgresFixture.erasureKey
    ) -> LedgerSealing {
        LedgerSealing(fixture.settings, folder: folder, erasureKey: erasureKey)
    }

    /// A running node that demands seals, on two organizations whose ledgers have one entry each.
    private func opened(_ fixture: PostgresFixture) async throws -> StorageUnderTest {
        let (_, first) = try fixture.open()
        try await first.makeOrganizations()
        try fixture.close()
        try fixture.tryDemand()
        return try fixture.open(node: node).1
    }

    @Test("the entries behind what was signed are shown, and the ledger of no other organization needs a seal")
    func shows() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        let signed = try #require(try await ports.ledgers.head(of: ports.acme)).head
        try await fixture.run(PostgresFixture.appended)
        let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in [signed] })
        #expect(!found.ledger.isSealed)
        #expect(found.ledger.head.size == 2)
        #expect(found.signed == signed)
        #expect(found.inconsistency == nil)
        #expect(found.entries.map(\.leaf) == [1])
        let all = try #require(try await sealing(fixture).read(ports.acme, entries: 1) { _ in [] })
        #expect(all.signed == nil)
        #expect(all.entries.map(\.leaf) == [0])
        let other = try #require(try await sealing(fixture).read(ports.globex, entries: 9) { _ in [] })
        #expect(other.ledger.isSealed)
        #expect(try await sealing(fixture).read(OrganizationID("nobody"), entries: 9) { _ in [] } == nil)
        try fixture.close()
    }

    @Test("behind a state that was sealed, the node that wrote last enters again")
    func goesOn() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        try await ports.record(.given, for: .ana)
        try await fixture.run(PostgresFixture.appended)
        await #expect(throws: LedgerInconsistency(ports.acme, .derived(.seal))) {
            try await ports.record(.withdrawn, for: .ana)
        }
        let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in [] })
        #expect(found.ledger.head.size == 3)
        #expect(try await sealing(fixture).seal(ports.acme, at: found.ledger.head))
        try await ports.record(.withdrawn, for: .ana)
        let head = try #require(try await ports.ledgers.head(of: ports.acme))
        #expect(head.head.size == 4 && head.isSealed)
        try fixture.close()
    }

    @Test("another head than the present one is not sealed")
    func anotherHead() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        let before = try #require(try await ports.ledgers.head(of: ports.acme)).head
        try await fixture.run(PostgresFixture.appended)
        for head in [before, TreeHead(size: 2, root: before.root)] {
            #expect(try await !sealing(fixture).seal(ports.acme, at: head))
        }
        let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in [] })
        #expect(!found.ledger.isSealed)
        try fixture.close()
    }

    @Test("the edge that is stored says nothing of the rows: an edge of another tree is no seal of this one")
    func forgedEdge() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        try await fixture.run(
            """
            UPDATE ledger_events
            SET entry = convert_to(regexp_replace(convert_from(entry, 'UTF8'), 'T[0-9][0-9]:', 'T11:'), 'UTF8')
            """)
        let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in [] })
        #expect(!found.ledger.isSealed)
        try fixture.close()
    }

    @Test("a ledger that does not continue what was signed is told apart")
    func departed() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        let head = try #require(try await ports.ledgers.head(of: ports.acme)).head
        let longer = TreeHead(size: 9, root: head.root)
        let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in [head, longer] })
        #expect(found.inconsistency == LedgerInconsistency(ports.acme, .missing(1...8)))
        try fixture.close()
    }

    @Test("entries that fill a tile are shown if the tile has the hashes of their rows")
    func tile() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        let signed = try #require(try await ports.ledgers.head(of: ports.acme)).head
        try await fixture.run(Self.appendedTile)
        let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in [signed] })
        #expect(found.inconsistency == nil)
        #expect(found.ledger.head.size == 256)
        #expect(found.entries.map(\.leaf) == Array(1...9))
        try fixture.close()
    }

    @Test(
        "rows are not shown for a head that has the hashes of others, or of a row that is gone",
        arguments: [
            (
                appendedTile
                    + "UPDATE ledger_tiles SET hashes = overlay(hashes PLACING sha256('other') FROM 32 * 7 + 1)",
                LedgerInconsistency.Finding.changed(7)
            ),
            (appendedTile + newestGone, .changed(255)), (PostgresFixture.appended + newestGone, .changed(1)),
            (overlapping, .derived(.runs(2))),
        ])
    func otherRows(_ forged: String, _ finding: LedgerInconsistency.Finding) async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        let signed = try #require(try await ports.ledgers.head(of: ports.acme)).head
        try await fixture.run(forged)
        for heads in [[signed], []] {
            let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in heads })
            #expect(found.inconsistency == LedgerInconsistency(ports.acme, finding))
            #expect(found.entries.isEmpty)
        }
        try fixture.close()
    }

    @Test("a run behind what was signed that cannot be read is told apart, and nothing is shown")
    func unreadableRun() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        let signed = try #require(try await ports.ledgers.head(of: ports.acme)).head
        try await fixture.run(
            Self.appendedTile + "UPDATE ledger_runs SET kind = 9 WHERE organization = 1 AND first_leaf = 1")
        let found = try #require(try await sealing(fixture).read(ports.acme, entries: 9) { _ in [signed] })
        #expect(found.inconsistency == LedgerInconsistency(ports.acme, .derived(.runs(1))))
        #expect(found.entries.isEmpty)
        try fixture.close()
    }

    @Test("the database of another folder, and one with another erasure.key, are refused")
    func refused() async throws {
        let fixture = try await PostgresFixture()
        let ports = try await opened(fixture)
        var generator = SystemRandomNumberGenerator()
        let ofOther = sealing(fixture, folder: FolderID(using: &generator))
        await #expect(throws: OtherFolder.self) { try await ofOther.read(ports.acme, entries: 9) { _ in [] } }
        let otherKey = sealing(fixture, erasureKey: SecretBytes([UInt8](repeating: 8, count: 32)))
        await #expect(throws: WrongErasureKey.self) { try await otherKey.read(ports.acme, entries: 9) { _ in [] } }
        try fixture.close()
    }
}
