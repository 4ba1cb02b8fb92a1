import PostgresClient
import SQL
import TestSupport
import Testing

@testable import PostgresStorage

/// The steps of the schema, beside nodes of the version before.
@Suite struct SchemaStepTests {
    /// The tables as they were before the step.
    private static let before = """
        ALTER TABLE nodes DROP seals;
        ALTER TABLE ledger_edges DROP seal;
        UPDATE schema_version SET version = \(PostgresSchema.current - 1);
        """

    @Test(
        "the step of the seals waits for a write transaction of a node, which does not wait for it",
        .enabled(if: PostgresSchema.current == 20, "the tables of before cannot be made of later ones"))
    func seals() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.run(Self.before)
        let settings = fixture.settings
        let node = try PostgresConnection.open(settings)
        defer { node.close() }
        try node.begin()
        try node.statement("SELECT count(*) FROM nodes").first { _ in }
        async let outcome = PostgresSchema.migrate(settings)
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'nodes'::regclass"
        let isWaiting = try await eventually {
            try await PostgresSchema.withConnection(settings) { connection in
                try connection.statement(waits).first { $0.integer(0) } == 1
            }
        }
        #expect(isWaiting)
        try node.statement("UPDATE ledger_edges SET size = size").run()
        try node.commit()
        #expect(try await outcome.to == PostgresSchema.current)
    }
}
