import Consent
import Identifiers
import PostgresClient
import PostgresServer
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// What is added to the service's tables in the database must not keep from them what is acknowledged.
@Suite struct AlteredTablesTests {
    /// What is done to the tables, what is found, and how it is undone.
    struct Change: Sendable, CustomTestStringConvertible {
        let made: String
        let table: String
        let found: TableAlteration
        let undone: String
        var testDescription: String { made }
    }

    private static let function =
        "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;"

    /// Makes the trigger `silent`, with its function: it swallows each row that is inserted into the table.
    private static func silence(_ table: String) -> String {
        "\(function) CREATE TRIGGER silent BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION swallow();"
    }

    static let number =
        "CREATE FUNCTION number(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1';"

    static let changes = [
        Change(
            made: silence("consents"), table: "consents", found: .trigger("silent"),
            undone: "DROP TRIGGER silent ON consents"),
        Change(
            made: "\(function) CREATE TRIGGER \"Odd one\" AFTER INSERT ON decisions EXECUTE FUNCTION swallow()",
            table: "decisions", found: .trigger("\"Odd one\""), undone: "DROP TRIGGER \"Odd one\" ON decisions"),
        Change(
            made: silence("decisions_rest"), table: "decisions_rest", found: .trigger("silent"),
            undone: "DROP TRIGGER silent ON decisions_rest"),
        Change(
            made: "\(silence("decisions")) ALTER TABLE ONLY decisions DISABLE TRIGGER silent", table: "decisions",
            found: .trigger("silent"), undone: "ALTER TABLE decisions DISABLE TRIGGER silent"),
        Change(
            made: "\(silence("decisions")) ALTER TABLE ONLY decisions DISABLE TRIGGER silent", table: "decisions",
            found: .trigger("silent"), undone: "DROP TRIGGER silent ON decisions"),
        Change(
            made: "\(silence("consents")) ALTER TABLE consents ENABLE ALWAYS TRIGGER silent", table: "consents",
            found: .trigger("silent"), undone: "ALTER TABLE consents DISABLE TRIGGER silent"),
        Change(
            made: "CREATE RULE nothing AS ON INSERT TO consents DO INSTEAD NOTHING", table: "consents",
            found: .rule("nothing"), undone: "DROP RULE nothing ON consents"),
        Change(
            made: "ALTER TABLE consents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY", table: "consents",
            found: .rowSecurity, undone: "ALTER TABLE consents DISABLE ROW LEVEL SECURITY"),
        Change(
            made: "CREATE TABLE more () INHERITS (consents)", table: "consents", found: .child("more"),
            undone: "ALTER TABLE more NO INHERIT consents"),
        Change(
            made: "CREATE SCHEMA other; CREATE TABLE other.parts PARTITION OF decisions FOR VALUES FROM (1) TO (2)",
            table: "decisions", found: .child("other.parts"), undone: "DROP TABLE other.parts"),
        Change(
            made: "ALTER TABLE interactions DETACH PARTITION interactions_rest", table: "interactions_rest",
            found: .detached(from: "interactions"),
            undone: "ALTER TABLE interactions ATTACH PARTITION interactions_rest DEFAULT"),
        Change(
            made: "CREATE TABLE decisions_2020_11 (LIKE decisions)", table: "decisions_2020_11",
            found: .detached(from: "decisions"), undone: "DROP TABLE decisions_2020_11"),
        Change(
            made: "ALTER TABLE decisions DETACH PARTITION decisions_rest; ALTER TABLE decisions_rest RENAME TO \"Old\"",
            table: "\"Old\"", found: .renamed("decisions_rest"),
            undone: """
                ALTER TABLE "Old" RENAME TO decisions_rest;
                ALTER TABLE decisions ATTACH PARTITION decisions_rest DEFAULT
                """),
        Change(
            made: """
                CREATE SCHEMA archive; ALTER TABLE interactions DETACH PARTITION interactions_rest;
                ALTER TABLE interactions_rest SET SCHEMA archive
                """,
            table: "archive.interactions_rest", found: .renamed("interactions_rest"),
            undone: """
                ALTER TABLE archive.interactions_rest SET SCHEMA public;
                ALTER TABLE interactions ATTACH PARTITION interactions_rest DEFAULT
                """),
        Change(
            made: "\(number) CREATE INDEX own ON consents (number(id))", table: "consents",
            found: .code("function number(bigint)"), undone: "DROP INDEX own"),
        Change(
            made: "\(number) ALTER TABLE consents ADD CONSTRAINT own CHECK (number(id) > 0)", table: "consents",
            found: .code("function number(bigint)"), undone: "ALTER TABLE consents DROP CONSTRAINT own"),
        Change(
            made: "\(number) ALTER TABLE consents ALTER purpose SET DEFAULT number(1)", table: "consents",
            found: .code("function number(bigint)"), undone: "ALTER TABLE consents ALTER purpose DROP DEFAULT"),
        Change(
            made: "\(number) CREATE STATISTICS own ON number(id) FROM consents", table: "consents",
            found: .code("function number(bigint)"), undone: "DROP STATISTICS own"),
        Change(
            made: """
                \(number) CREATE DOMAIN above AS bigint CHECK (number(value) > 0);
                CREATE INDEX own ON decisions_rest ((id::above))
                """,
            table: "decisions_rest", found: .code("type above"), undone: "DROP INDEX own"),
        Change(
            made: """
                \(number) CREATE FUNCTION compare(bigint, bigint) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 0';
                CREATE OPERATOR CLASS odd FOR TYPE bigint USING btree AS
                    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
                    FUNCTION 1 compare(bigint, bigint);
                CREATE INDEX own ON consents (id odd)
                """,
            table: "consents", found: .code("operator class odd for access method btree"), undone: "DROP INDEX own"),
        Change(
            made: "ALTER TABLE endpoints DISABLE TRIGGER ALL", table: "endpoints", found: .uncheckedKeys,
            undone: "ALTER TABLE endpoints ENABLE TRIGGER ALL"),
        Change(
            made: "CREATE TABLE folders (id text NOT NULL); ALTER TABLE folder INHERIT folders", table: "folder",
            found: .parent("folders"), undone: "ALTER TABLE folder NO INHERIT folders"),
        Change(
            made: """
                ALTER TABLE endpoints ADD CONSTRAINT gone FOREIGN KEY (organization) REFERENCES organizations
                    ON DELETE CASCADE
                """,
            table: "endpoints", found: .cascade("gone"), undone: "ALTER TABLE endpoints DROP CONSTRAINT gone"),
        Change(
            made: "ALTER TABLE write_tokens SET UNLOGGED", table: "write_tokens", found: .unlogged,
            undone: "ALTER TABLE write_tokens SET LOGGED"),
        Change(
            made: "ALTER TABLE requests RENAME TO kept; CREATE VIEW requests AS SELECT * FROM kept", table: "requests",
            found: .noTable, undone: "DROP VIEW requests; ALTER TABLE kept RENAME TO requests"),
    ]

    @Test("what may keep a write from its table is found and named until it is gone", arguments: changes)
    func found(_ change: Change) async throws {
        let fixture = try await PostgresFixture()
        #expect(try await fixture.alterations().isEmpty)
        try await fixture.run(change.made)
        let expected = DatabaseFinding.altered(table: change.table, change.found)
        #expect(try await fixture.alterations() == [expected])
        #expect(expected.isFatal)
        #expect(expected.description.contains(change.table) && expected.remedy.contains(change.table))
        #expect(try await PostgresCheck.findings(fixture.settings).contains(expected))
        #expect(throws: UnsafeDatabase.self) { _ = try fixture.open() }
        try await fixture.run(change.undone)
        #expect(try await fixture.alterations().isEmpty)
    }

    @Test(
        "what an operator adds for other purposes is not found",
        arguments: [
            "CREATE INDEX own ON consents (recorded_at); CREATE STATISTICS own ON organization, purpose FROM consents",
            "CREATE INDEX own ON consents (lower(purpose::text)); CREATE INDEX other ON organizations (upper(id))",
            "CREATE EXTENSION btree_gist; CREATE INDEX own ON consents USING gist (id gist_int8_ops)",
            "CREATE PUBLICATION own FOR ALL TABLES", "ALTER TABLE consents SET (autovacuum_vacuum_scale_factor = 0.01)",
            "ALTER TABLE consents CLUSTER ON consents_pkey; ALTER TABLE people ALTER hash SET STATISTICS 500",
            "CREATE TABLE own (id bigint); CREATE VIEW of_day AS SELECT * FROM consents; CREATE UNLOGGED TABLE cache ()",
            "\(function) CREATE TABLE own (id bigint); CREATE TRIGGER own BEFORE INSERT ON own EXECUTE FUNCTION swallow()",
            "CREATE SCHEMA own; CREATE UNLOGGED TABLE own.consents (id bigint)",
            "ALTER TABLE consents ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON consents FOR SELECT USING (true)",
            "ALTER TABLE consents ADD CONSTRAINT own CHECK (id > 0) NOT VALID",
            "CREATE TABLE own AS SELECT * FROM decisions; CREATE TABLE other (LIKE interactions INCLUDING ALL)",
            "CREATE TABLE own (id bigint); CREATE INDEX decisions_2026_11_own ON own (id)",
            "CREATE SCHEMA restored; CREATE TABLE restored.decisions_rest (LIKE decisions INCLUDING ALL)",
            "CREATE TABLE decisions_2026_11_archive (LIKE decisions INCLUDING ALL)",
            """
            CREATE TABLE own AS SELECT * FROM decisions; CREATE INDEX decisions_2020_11_pkey ON own (id);
            ALTER TABLE own OWNER TO pg_monitor
            """,
            "\(silence("consents")) ALTER TABLE consents DISABLE TRIGGER silent",
        ])
    func allowed(_ change: String) async throws {
        let fixture = try await PostgresFixture()
        try await fixture.run(change)
        #expect(try await fixture.alterations().isEmpty)
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.withdrawn, for: .ana)
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.withdrawn])
        try fixture.close()
        #expect(try await fixture.alterations().isEmpty, "the service's own partitions")
    }

    @Test("a row that an added unique index does not permit is refused with an error, and not left out")
    func uniqueIndex() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.run("CREATE UNIQUE INDEX own ON ledgers ((1))")
        let (_, ports) = try fixture.open()
        await #expect(throws: (any Error).self) { try await ports.makeOrganizations() }
        try fixture.close()
    }

    @Test("every table that the service makes is looked at")
    func names() async throws {
        let fixture = try await PostgresFixture()
        let made = try await PostgresSchema.withConnection(fixture.settings) { connection in
            try connection.statement(
                """
                SELECT relname::text FROM pg_class
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                """
            ).all { $0.text(0) }
        }
        #expect(PostgresSchema.tables.sorted() == made.sorted())
    }

    @Test("a new connection that finds a trigger writes nothing, and says so, until the trigger is gone")
    func newConnection() async throws {
        let fixture = try await PostgresFixture()
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        let change = Self.changes[0]
        try await fixture.run(change.made)
        try await fixture.run(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
            """)
        await #expect(throws: UnsafeDatabase.self) { try await ports.record(.withdrawn, for: .ana) }
        let why = UnsafeDatabase([.altered(table: change.table, change.found)]).description
        #expect(storage.status == .unusable(why))
        await storage.retryIfFull()
        #expect(storage.status == .unusable(why))
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.given])
        try await fixture.run(change.undone)
        await storage.retryIfFull()
        #expect(storage.status == .working)
        try await ports.record(.withdrawn, for: .ana)
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.given, .withdrawn])
        try fixture.close()
    }
}
