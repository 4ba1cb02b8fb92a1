import Identifiers
import PostgresClient
import SQL
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
        try await claim.recordMigration(at: .noon)
        await claim.end()
        let error = #expect(throws: MigratedDatabase.self) { _ = try fixture.open() }
        #expect(error?.description == "the database was moved to a data folder on \(Timestamp.noon.rfc3339)")
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
