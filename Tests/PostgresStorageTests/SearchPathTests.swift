import PostgresClient
import PostgresServer
import SQL
import Testing

@testable import PostgresStorage

@Suite struct SearchPathTests {
    @Test("a search path that names no schema is called so, and nothing is made", arguments: ["pg_catalog", "''"])
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
}
