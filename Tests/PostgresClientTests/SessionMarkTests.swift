import PostgresServer
import SQL
import Testing

@testable import PostgresClient

/// A pooler that lends the sessions of a server takes locks and prepared statements away without an error.
@Suite struct SessionMarkTests {
    private static func settings() throws -> PostgresSettings {
        PostgresSettings(location: try PostgresServer.shared.makeDatabase(), password: nil, durability: .local)
    }

    @Test("a session that another client has marked is refused")
    func lent() throws {
        let settings = try Self.settings()
        let name = try #require(settings.location.database)
        let administrator = try PostgresConnection(settings.location, password: nil)
        defer { administrator.close() }
        // As in a session that a pooler passes on.
        try administrator.run(script: "ALTER DATABASE \(name) SET consentlink.session = 'another'")
        let error = #expect(throws: PostgresError.self) { try PostgresConnection.open(settings).close() }
        #expect(error == PostgresError(.pooled))
        #expect(error?.description.contains("a pooler") == true)
        try administrator.run(script: "ALTER DATABASE \(name) RESET consentlink.session")
        try PostgresConnection.open(settings).close()
    }

    @Test("a connection whose session has the mark of another client, or none, is given up", arguments: ["other", ""])
    func exchanged(_ mark: String) throws {
        let connection = try PostgresConnection.open(try Self.settings())
        try connection.requireOwnSession()
        let setting = try connection.statement("SELECT set_config('consentlink.session', ?, false)")
        #expect(try setting.first(mark) { $0.text(0) } == mark)
        #expect(throws: PostgresError(.pooled)) { try connection.requireOwnSession() }
        #expect(!connection.isUsable)
        connection.close()
    }

    @Test("no two marks are alike, and each stands in a statement as it is")
    func random() {
        let marks = (0..<100).map { _ in SessionMark().text }
        #expect(Set(marks).count == 100)
        #expect(marks.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x7A && $0 != 0x5C } })
    }
}
