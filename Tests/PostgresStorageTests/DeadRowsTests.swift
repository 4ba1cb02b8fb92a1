import Consent
import Identifiers
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage

/// VACUUM after an erasure, on a server on which it takes seconds.
@Suite struct DeadRowsTests {
    private static let people = 300

    @Test("other requests do not wait for the VACUUM of an erasure, which waits for it")
    func writesGoOn() async throws {
        let fixture = try await PostgresFixture()
        let server = try PostgresConnection(fixture.settings.location, password: nil)
        try server.run(
            script:
                "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET vacuum_cost_limit = 1', current_database()); END $$")
        try server.run(
            script:
                "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET vacuum_cost_delay = 50', current_database()); END $$"
        )
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        for number in 0..<Self.people { try await ports.record(.given, for: RecipientID("person-\(number)")) }
        let isErased = Note(false)
        let erasure = Task {
            _ = try await ports.consents.erase(RecipientID("person-0"), in: ports.acme)
            isErased.value = true
        }
        let running = try server.statement(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'VACUUM%' AND state = 'active'"
        )
        #expect(await eventually { (try? running.first { $0.integer(0) }) == 1 })
        try await ports.record(.withdrawn, for: RecipientID("person-1"))
        #expect(!isErased.value)
        try await erasure.value
        #expect(isErased.value)
        try fixture.close()
    }
}
