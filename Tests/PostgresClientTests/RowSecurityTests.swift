import PostgresServer
import SQL
import Testing

@testable import PostgresClient

@Suite struct RowSecurityTests {
    @Test("a table whose rows row level security would hide is refused, and named, instead of looking empty")
    func refused() throws {
        let location = try PostgresServer.shared.makeDatabase()
        let name = try #require(location.database)
        let owner = try PostgresConnection(location, password: nil)
        defer { owner.close() }
        try owner.run(
            script: """
                CREATE TABLE withdrawals (n bigint PRIMARY KEY);
                INSERT INTO withdrawals VALUES (1);
                CREATE ROLE reader_of_\(name) LOGIN;
                GRANT SELECT ON withdrawals TO reader_of_\(name);
                """)
        let reader = try PostgresConnection(
            PostgresLocation("postgres://reader_of_\(name)@/\(name)?host=\(location.hosts[0].name)"), password: nil)
        defer { reader.close() }
        let count = try reader.statement("SELECT count(*) FROM withdrawals")
        #expect(try count.first { $0.integer(0) } == 1)
        try owner.run(script: "ALTER TABLE withdrawals ENABLE ROW LEVEL SECURITY")
        let error = #expect(throws: PostgresError.self) { _ = try count.first { $0.integer(0) } }
        #expect(error?.description.contains("42501") == true)
        #expect(error?.description.contains("withdrawals") == true)
    }
}
