import Consent
import Identifiers
import PostgresClient
import PostgresServer
import SQL
import StorageContracts
import StoragePorts
import Testing

@testable import PostgresStorage

@Suite struct SearchPathTests {
    @Test(
        "a search path that names no schema is called so, and nothing is made",
        arguments: ["pg_catalog", "''", "information_schema"])
    func nowhere(_ path: String) async throws {
        let location = try PostgresServer.shared.makeDatabase()
        let settings = PostgresSettings(location: location, password: nil, durability: .local)
        let name = try #require(location.database)
        let connection = try PostgresConnection(location, password: nil)
        try connection.run(script: "ALTER DATABASE \(name) SET search_path = \(path)")
        await #expect(throws: SchemaError.nowhere) { _ = try await PostgresSchema.migrate(settings) }
        await #expect(throws: SchemaError.nowhere) { _ = try await PostgresCheck.findings(settings) }
        #expect(SchemaError.nowhere.description.contains("search_path"))
        try connection.run(script: "ALTER DATABASE \(name) RESET search_path")
        #expect(try await PostgresSchema.migrate(settings).from == 0)
        connection.close()
    }

    @Test("the tables are made in none of the server's own schemas", arguments: ["information_schema", "pg_catalog"])
    func serversOwn(_ schema: String) async throws {
        let location = try PostgresServer.shared.makeDatabase()
        let settings = PostgresSettings(location: location, password: nil, durability: .local)
        let name = try #require(location.database)
        let administrator = try PostgresConnection(location, password: nil)
        defer { administrator.close() }
        try administrator.run(script: "ALTER DATABASE \(name) SET search_path = \(schema), public")
        #expect(try await PostgresSchema.migrate(settings).from == 0)
        let found = try administrator.statement("SELECT schemaname::text FROM pg_tables WHERE tablename = 'consents'")
            .all { $0.text(0) }
        #expect(found == ["public"])
    }

    @Test("a table in a schema that comes first in the search path gets nothing, whenever it was made")
    func decoy() async throws {
        let fixture = try await PostgresFixture()
        let administrator = try PostgresConnection(fixture.settings.location, password: nil)
        defer { administrator.close() }
        let decoy = "CREATE TABLE test.consents (LIKE public.consents); CREATE TABLE test.recipients ()"
        // The default, "$user", public, names a schema that is called like the role.
        try administrator.run(script: "CREATE SCHEMA test; \(decoy)")
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try administrator.run(script: "DROP SCHEMA test CASCADE")
        try await ports.record(.withdrawn, for: .bo)
        try administrator.run(script: "CREATE SCHEMA test; \(decoy)")
        try await ports.record(.withdrawn, for: .ana)
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.given, .withdrawn])
        try fixture.close()
        let counts = try administrator.statement(
            "SELECT (SELECT count(*) FROM public.consents), (SELECT count(*) FROM test.consents)"
        ).first { [$0.integer(0), $0.integer(1)] }
        #expect(counts == [3, 0])
    }

    @Test(
        "the server's own schema comes first, then the one that has the tables, and temporary tables come last",
        arguments: ["own, pg_catalog, public", "pg_temp, own, public", "own, public, pg_catalog"])
    func order(_ path: String) async throws {
        let fixture = try await PostgresFixture()
        let name = try #require(fixture.settings.location.database)
        let administrator = try PostgresConnection(fixture.settings.location, password: nil)
        defer { administrator.close() }
        try administrator.run(
            script: """
                CREATE SCHEMA own;
                CREATE FUNCTION own.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT 'on' $$;
                ALTER DATABASE \(name) SET search_path = \(path);
                """)
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            let found = try connection.statement("SELECT current_setting('search_path'), current_setting('fsync')")
                .first { [$0.text(0), $0.text(1)] }
            #expect(found == ["public, pg_temp", "off"])
        }
    }

    @Test("two schemas that have the service's tables are refused and named, also by a connection that is made later")
    func several() async throws {
        let fixture = try await PostgresFixture()
        let name = try #require(fixture.settings.location.database)
        let administrator = try PostgresConnection(fixture.settings.location, password: nil)
        defer { administrator.close() }
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try administrator.run(
            script: """
                CREATE SCHEMA own;
                CREATE TABLE own.writer (LIKE public.writer);
                CREATE TABLE own.folder AS SELECT * FROM public.folder;
                CREATE TABLE own.schema_version AS SELECT * FROM public.schema_version;
                """)
        // It is not in the path yet.
        try await ports.record(.given, for: .bo)
        try administrator.run(script: "ALTER DATABASE \(name) SET search_path = own, public")
        try administrator.run(
            script: """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                """)
        let expected = PostgresError(.severalSchemas("own, public"))
        await #expect(throws: expected) { try await ports.record(.withdrawn, for: .ana) }
        await #expect(throws: expected) { _ = try await ports.consents.history(of: .ana, in: ports.acme) }
        #expect(storage.status == .unusable(expected.description))
        await #expect(throws: expected) { _ = try await PostgresCheck.findings(fixture.settings) }
        try administrator.run(script: "ALTER DATABASE \(name) RESET search_path")
        await storage.retryIfFull()
        #expect(storage.status == .working)
        try await ports.record(.withdrawn, for: .ana)
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.given, .withdrawn])
        try fixture.close()
    }

    @Test("a role that may make functions beside the tables is named, and the owner is not")
    func rights() async throws {
        let fixture = try await PostgresFixture()
        let administrator = try PostgresConnection(fixture.settings.location, password: nil)
        defer { administrator.close() }
        #expect(try await PostgresCheck.rightFindings(fixture.settings).isEmpty)
        try administrator.run(script: "GRANT CREATE ON SCHEMA public TO PUBLIC")
        let found = try await PostgresCheck.rightFindings(fixture.settings)
        #expect(found == [.openSchema("public", role: "PUBLIC")])
        #expect(found.first?.isFatal == false)
        let remedy = try #require(found.first?.remedy)
        #expect(remedy == "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        try administrator.run(script: remedy)
        #expect(try await PostgresCheck.rightFindings(fixture.settings).isEmpty)
    }
}
