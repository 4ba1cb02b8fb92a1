import Consent
import Identifiers
import PostgresClient
import PostgresServer
import StorageContracts
import StoragePorts
import Testing

@testable import PostgresStorage

/// What a commit waits for may be another thing on a new connection than on the one before.
@Suite struct DurableCommitTests {
    @Test("a connection whose commits may be lost is not written to, and not read from as of now, until it is mended")
    func settingOfTheDatabase() async throws {
        let fixture = try await PostgresFixture()
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let operatorsOwn = try PostgresConnection(fixture.settings.location, password: nil)
        let name = try #require(fixture.settings.location.database)
        try operatorsOwn.run(script: "ALTER DATABASE \(name) SET synchronous_commit = off")
        // What is connected has the setting of before.
        try await ports.record(.given, for: .ana)
        try end(operatorsOwn)
        await #expect(throws: UnsafeDatabase.self) { try await ports.record(.withdrawn, for: .ana) }
        await #expect(throws: UnsafeDatabase.self) { _ = try await ports.consents.newestRecord() }
        let beginning = RuleCursor(position: 0, mark: 0)
        await #expect(throws: UnsafeDatabase.self) { _ = try await ports.rules.poll(after: beginning) }
        guard case .unusable(let why) = storage.status else {
            Issue.record("\(storage.status)")
            return
        }
        #expect(why.contains("synchronous_commit is off and must be on"))
        try operatorsOwn.run(script: "ALTER DATABASE \(name) RESET synchronous_commit")
        await storage.retryIfFull()
        #expect(storage.status == .working)
        try await ports.record(.withdrawn, for: .ana)
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.given, .withdrawn])
        operatorsOwn.close()
        try fixture.close()
    }

    private func end(_ connection: PostgresConnection) throws {
        try connection.run(
            script: """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                """)
    }
}
