import Consent
import PostgresClient
import SQL
import StorageContracts
import StoragePorts
import Testing

@testable import PostgresStorage

@Suite struct PublicationTests {
    @Test("every table takes deletions while it is in a publication")
    func identities() async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        let without = try connection.statement(
            """
            SELECT relname::text FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relreplident <> 'f'
                AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)
            """
        ).all { $0.text(0) }
        #expect(without.isEmpty)
    }

    @Test("a service with a publication for all tables keeps its notes; a table that cannot take it is named")
    func notes() async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        try connection.run(
            script: """
                CREATE TABLE unknown (n bigint);
                INSERT INTO unknown VALUES (1);
                INSERT INTO purge_clock (trusted, is_held) VALUES (1, 0);
                CREATE PUBLICATION everything FOR ALL TABLES;
                """)
        #expect(try connection.statement("DELETE FROM purge_clock").changes() == 1)
        let error = #expect(throws: PostgresError.self) { try connection.statement("DELETE FROM unknown").changes() }
        let failure = try #require(error).storageError
        #expect(failure is StorageError)
        #expect("\(failure)".contains("unknown"))
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try fixture.close()
    }
}
