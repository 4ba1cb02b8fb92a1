import Consent
import PostgresClient
import SQL
import StorageContracts
import Testing

@testable import PostgresStorage

/// A column that somebody gave another type, or from which NULL was kept.
@Suite struct ForeignTypeTests {
    @Test(
        "a setting that is stored as something else, or is missing, is damage, and is not read as switched off",
        arguments: [
            "ALTER TABLE organizations ALTER honors_gpc TYPE numeric",
            "ALTER TABLE organizations ALTER honors_gpc TYPE text",
            """
            ALTER TABLE organizations ALTER honors_gpc DROP NOT NULL;
            UPDATE organizations SET honors_gpc = NULL;
            """,
        ])
    func setting(_ change: String) async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try fixture.close()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        try connection.run(script: change)
        let (_, reopened) = try fixture.open()
        await #expect(throws: StorageError.unreadable) { try await reopened.record(.withdrawn, for: .ana) }
        try fixture.close()
    }
}
