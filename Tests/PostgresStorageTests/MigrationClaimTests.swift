import Identifiers
import PostgresClient
import SQL
import SQLStorage
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// While a database is moved into a data folder no other process may use it, and afterwards none may.
@Suite struct MigrationClaimTests {
    private func folder() -> FolderID {
        var generator = SystemRandomNumberGenerator()
        return FolderID(using: &generator)
    }

    private func take(
        _ fixture: PostgresFixture, of node: FolderID? = nil, isHeldByService: Bool = false
    ) async throws -> MigrationClaim {
        try await MigrationClaim.acquire(
            fixture.settings, of: node, isHeldByService: isHeldByService, timeout: .zero)
    }

    @Test("a database that another process has open is not moved; afterwards it is, and no service opens it again")
    func open() async throws {
        let fixture = try await PostgresFixture()
        _ = try fixture.open()
        await #expect(throws: DatabaseInUse(nodes: [])) { _ = try await take(fixture) }
        try fixture.close()
        // The server may still be ending the connection that was closed.
        let claim = try await MigrationClaim.acquire(fixture.settings, of: nil, isHeldByService: false)
        await #expect(throws: DatabaseInUse(nodes: [])) { _ = try await take(fixture) }
        try await claim.requireUnchanged()
        await claim.end()
        try await record(move, fixture)
        let error = #expect(throws: MigratedDatabase.self) { _ = try fixture.open() }
        #expect(error?.description == "the database was moved to a data folder on \(Timestamp.noon.rfc3339)")
    }

    private let move = DatabaseMove(id: "m1", side: .source, isDone: false)

    private func record(_ move: DatabaseMove, _ fixture: PostgresFixture) async throws {
        try await MigrationClaim.recordMigration(
            move, of: PostgresFixture.folder, node: nil, at: .noon, fixture.settings)
    }

    @Test("when both processes have ended, the note keeps other nodes out, and the folder's service from writing")
    func note() async throws {
        let fixture = try await PostgresFixture()
        var claim = try await take(fixture)
        #expect(try await !claim.note(move, of: PostgresFixture.folder))
        #expect(try await claim.note(move, of: PostgresFixture.folder), "a repetition finds it")
        await claim.end()
        let other = DatabaseMove(id: "m2", side: .source, isDone: false)
        #expect(throws: MovingDatabase.self) { _ = try fixture.open() }
        #expect(throws: MovingDatabase.self) { _ = try fixture.open(move: other) }
        let (storage, _) = try fixture.open(move: move, isReadOnly: true)
        #expect(try await storage.organizationNames() == [])
        try fixture.close()
        claim = try await MigrationClaim.acquire(fixture.settings, of: nil, isHeldByService: false)
        await #expect(throws: MovingDatabase.self) { _ = try await claim.note(other, of: PostgresFixture.folder) }
        #expect(try await claim.note(move, of: PostgresFixture.folder))
        await claim.end()
        try await MigrationClaim.release(other, to: PostgresFixture.folder, fixture.settings)
        #expect(throws: MovingDatabase.self) { _ = try fixture.open() }
        for _ in 0..<2 { try await MigrationClaim.release(move, to: PostgresFixture.folder, fixture.settings) }
        _ = try fixture.open()
        try fixture.close()
    }

    @Test("a move of which no folder has a note any more can be given up, but not while a process has the database")
    func unknown() async throws {
        let fixture = try await PostgresFixture()
        let claim = try await take(fixture)
        _ = try await claim.note(move, of: PostgresFixture.folder)
        func release(_ folder: FolderID = PostgresFixture.folder) async throws -> Bool {
            try await MigrationClaim.release(ofAnyMove: folder, fixture.settings)
        }
        await #expect(throws: DatabaseInUse.self) { _ = try await release() }
        await claim.end()
        #expect(try await !release(folder()), "another folder's")
        // The server may still be ending the connection that was closed.
        var isReleased = false
        for _ in 0..<50 where !isReleased { isReleased = (try? await release()) ?? false }
        #expect(isReleased)
        #expect(try await !release())
        _ = try fixture.open()
        try fixture.close()
    }

    @Test("the end of a move is noted once, and in no database that is not of that move")
    func end() async throws {
        let fixture = try await PostgresFixture()
        let claim = try await take(fixture)
        _ = try await claim.note(move, of: PostgresFixture.folder)
        await claim.end()
        func note() async throws -> String? {
            try await PostgresSchema.withConnection(fixture.settings) { try DatabaseOwner.note($0) }
        }
        try await record(DatabaseMove(id: "m2", side: .source, isDone: false), fixture)
        #expect(try await note() == move.note(of: PostgresFixture.folder))
        try await record(move, fixture)
        let moved = try await note()
        #expect(moved?.hasPrefix("moved to a data folder on ") == true)
        try await MigrationClaim.recordMigration(
            move, of: PostgresFixture.folder, node: nil, at: .noon + .seconds(9), fixture.settings)
        try await MigrationClaim.release(move, to: PostgresFixture.folder, fixture.settings)
        #expect(try await note() == moved)
        #expect(throws: MigratedDatabase.self) { _ = try fixture.open(move: move) }
    }

    @Test("nodes that run are named, but that of the folder itself")
    func nodes() async throws {
        let fixture = try await PostgresFixture()
        let (own, other) = (folder(), folder())
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            try connection.begin()
            for (id, name) in [(own, "own"), (other, "other")] {
                let node = NodeIdentity(
                    id: id, slot: nil, name: try #require(NodeName(name)), place: name, version: "1", peerAddress: nil)
                _ = try NodeRow.register(node, isRestored: false, instance: [1], connection)
            }
            try connection.commit()
        }
        let inUse = DatabaseInUse(nodes: ["other"])
        await #expect(throws: inUse) { try await MigrationClaim.requireAlone(fixture.settings, but: own) }
        await #expect(throws: inUse) { _ = try await take(fixture, of: own) }
        await #expect(throws: DatabaseInUse(nodes: ["own", "other"])) {
            try await MigrationClaim.requireAlone(fixture.settings, but: nil)
        }
        #expect(inUse.description.contains("stop other"))
    }

    @Test("what was written while it was copied is found")
    func changed() async throws {
        let fixture = try await PostgresFixture()
        let claim = try await take(fixture, isHeldByService: true)
        try await claim.requireUnchanged()
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            try connection.begin()
            try connection.statement("UPDATE writer SET generation = generation + 1").run()
            try connection.commit()
        }
        await #expect(throws: DatabaseInUse(nodes: [])) { try await claim.requireUnchanged() }
        await claim.end()
    }
}
