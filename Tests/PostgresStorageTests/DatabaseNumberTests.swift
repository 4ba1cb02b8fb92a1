import PostgresClient
import PostgresServer
import Testing

@testable import PostgresStorage

@Suite struct DatabaseNumberTests {
    @Test("a copy of a database has another number, and the database itself always the same")
    func copies() async throws {
        let fixture = try await PostgresFixture()
        let first = try fixture.open().0.databaseNumber
        try fixture.close()
        let again = try fixture.open().0.databaseNumber
        try fixture.close()
        #expect(first != nil)
        #expect(again == first)
        let location = try PostgresServer.shared.makeDatabase(like: fixture.settings.location)
        let copy = PostgresFixture(settings: PostgresSettings(location: location, password: nil, durability: .local))
        #expect(try copy.open().0.databaseNumber != first)
        try copy.close()
    }
}
