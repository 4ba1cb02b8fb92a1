import Consent
import PostgresClient
import SQL
import StorageContracts
import Testing

@testable import PostgresStorage

@Suite struct CorrectedSettingTests {
    @Test("a search path that was wrong for a while is of no effect once it is corrected")
    func searchPath() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.withdrawn, for: .ana)
        let administrator = try PostgresConnection(fixture.settings.location, password: nil)
        let name = try #require(fixture.settings.location.database)
        try administrator.run(script: "ALTER DATABASE \(name) SET search_path = nowhere")
        try administrator.run(
            script: """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                """)
        for _ in 0..<4 {
            await #expect(throws: (any Error).self) { _ = try await ports.consents.history(of: .ana, in: ports.acme) }
        }
        try administrator.run(script: "ALTER DATABASE \(name) RESET search_path")
        for _ in 0..<4 {
            #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.withdrawn])
        }
        try await ports.record(.given, for: .ana)
        administrator.close()
        try fixture.close()
    }
}
