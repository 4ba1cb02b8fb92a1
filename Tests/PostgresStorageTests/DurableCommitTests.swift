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

    @Test(
        "a setting for repairs or replication is found at a start and at a new connection, and named with its remedy",
        arguments: [
            ("zero_damaged_pages", "on", "off"), ("ignore_checksum_failure", "on", "off"),
            ("session_replication_role", "replica", "origin"),
            ("session_replication_role", "local", "origin"),
        ])
    func riskySetting(_ setting: String, _ value: String, _ needed: String) async throws {
        let fixture = try await PostgresFixture()
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        let operatorsOwn = try PostgresConnection(fixture.settings.location, password: nil)
        let name = try #require(fixture.settings.location.database)
        try operatorsOwn.run(script: "ALTER DATABASE \(name) SET \(setting) = \(value)")
        try end(operatorsOwn)
        await #expect(throws: UnsafeDatabase.self) { try await ports.record(.withdrawn, for: .ana) }
        guard case .unusable(let why) = storage.status else {
            Issue.record("\(storage.status)")
            return
        }
        #expect(why.contains("\(setting) is \(value) and must be \(needed): "))
        #expect(why.contains("ALTER DATABASE … RESET \(setting)"))
        let found = try await PostgresCheck.findings(fixture.settings).filter { "\($0)".contains(setting) }
        #expect(found.count == 1 && found.allSatisfy(\.isFatal))
        try operatorsOwn.run(script: "ALTER DATABASE \(name) RESET \(setting)")
        await storage.retryIfFull()
        #expect(storage.status == .working)
        try await ports.record(.withdrawn, for: .ana)
        operatorsOwn.close()
        try fixture.close()
    }

    @Test("a server that goes on after a failed sync is refused, with a remedy that needs a restart")
    func syncRetry() {
        let values = ["data_sync_retry": "on"]
        let found = RiskySetting.findings(RiskySetting.ofServer, values)
        #expect(found.map(\.isFatal) == [true])
        #expect(found.first?.description.hasPrefix("data_sync_retry is on and must be off: ") == true)
        #expect(found.first?.remedy.hasSuffix("then restart the server") == true)
        #expect(found.first?.risk != nil)
        #expect(RiskySetting.findings(RiskySetting.ofServer, ["data_sync_retry": "off"]).isEmpty)
    }

    private func end(_ connection: PostgresConnection) throws {
        try connection.run(
            script: """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                """)
    }
}
