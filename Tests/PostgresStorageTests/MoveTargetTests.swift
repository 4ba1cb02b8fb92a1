import Cryptography
import Identifiers
import PostgresClient
import PostgresServer
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// A storage is moved only to a database that has nothing but the rows of that move, and no service takes a part of them
/// for the whole.
@Suite struct MoveTargetTests {
    private let move = DatabaseMove(id: "m1", side: .target, isDone: false)

    private func settings() throws -> PostgresSettings {
        PostgresSettings(location: try PostgresServer.shared.makeDatabase(), password: nil, durability: .local)
    }

    private func prepare(
        _ settings: PostgresSettings, move: DatabaseMove? = nil, isContinued: Bool = false,
        key: SecretBytes = PostgresFixture.erasureKey
    ) async throws {
        try await MoveTarget.prepare(
            move ?? self.move, of: PostgresFixture.folder, isContinued: isContinued, erasureKey: key, settings)
    }

    @Test("a part of a copy is continued by its own move alone, and used by no service before the move is done")
    func continued() async throws {
        let settings = try settings()
        for _ in 0..<2 { try await prepare(settings) }
        let fixture = PostgresFixture(settings: settings)
        let (_, ports) = try fixture.open(move: move)
        try await ports.makeOrganizations()
        try fixture.close()
        #expect(throws: MovingDatabase.self) { _ = try fixture.open() }
        try await prepare(settings, isContinued: true)
        await #expect(throws: UnsuitableTarget.notEmpty) { try await prepare(settings) }
        let other = DatabaseMove(id: "m2", side: .target, isDone: false)
        await #expect(throws: UnsuitableTarget.notEmpty) { try await prepare(settings, move: other, isContinued: true) }
        // The first start after the switch makes it the folder's, for every other process too.
        _ = try fixture.open(move: DatabaseMove(id: "m1", side: .target, isDone: true))
        try fixture.close()
        _ = try fixture.open()
        try fixture.close()
        await #expect(throws: UnsuitableTarget.notEmpty) { try await prepare(settings, isContinued: true) }
    }

    @Test("a database on which a node ran while it was empty demands no seals of what is copied")
    func seals() async throws {
        let settings = try settings()
        try await prepare(settings)
        try await PostgresSchema.withConnection(settings) { connection in
            try connection.run(script: "ALTER TABLE ledger_edges ALTER seal SET NOT NULL")
        }
        try await prepare(settings)
        #expect(try await !PostgresSchema.withConnection(settings) { try SealDemand.isBegun($0) })
    }

    @Test("a database of another folder is left as it is, even if it is empty")
    func otherFolder() async throws {
        let settings = try settings()
        _ = try await PostgresSchema.migrate(settings)
        var generator = SystemRandomNumberGenerator()
        let other = DatabaseTenant(folder: FolderID(using: &generator))
        try await PostgresSchema.withConnection(settings) { connection in
            try connection.begin()
            try DatabaseOwner.check(other, isNew: true, connection)
            try connection.commit()
        }
        await #expect(throws: UnsuitableTarget.otherFolder) { try await prepare(settings) }
    }

    @Test("a database with another key, or with nodes that run, is refused")
    func keyAndNodes() async throws {
        let fixture = try await PostgresFixture()
        _ = try fixture.open()
        try fixture.close()
        try await prepare(fixture.settings)
        let key = SecretBytes([UInt8](repeating: 8, count: 32))
        await #expect(throws: UnsuitableTarget.erasureKey) { try await prepare(fixture.settings, key: key) }
        var generator = SystemRandomNumberGenerator()
        let node = NodeIdentity(
            id: FolderID(using: &generator), slot: nil, name: try #require(NodeName("other")), place: "other",
            version: "1", peerAddress: nil)
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            try connection.begin()
            _ = try NodeRow.register(node, isRestored: false, instance: [1], connection)
            try connection.commit()
        }
        await #expect(throws: UnsuitableTarget.nodes(["other"])) { try await prepare(fixture.settings) }
    }
}
