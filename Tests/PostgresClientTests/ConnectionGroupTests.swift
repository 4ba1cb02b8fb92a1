import PostgresServer
import SQL
import Testing

@testable import PostgresClient

/// The end of connections that are used together.
@Suite struct ConnectionGroupTests {
    private static func settings() throws -> PostgresSettings {
        PostgresSettings(location: try PostgresServer.shared.makeDatabase(), password: nil, durability: .local)
    }

    private static func answer(_ connection: PostgresConnection) throws -> Int64? {
        try connection.statement("SELECT 41 + ?").first(1) { $0.integer(0) }
    }

    @Test("near the end a server that answers is used, and can be connected to")
    func answering() throws {
        let settings = try Self.settings()
        let connection = try PostgresConnection.open(settings)
        settings.connections.endSoon()
        #expect(settings.connections.isEnding)
        #expect(try Self.answer(connection) == 42)
        let later = try PostgresConnection.open(settings)
        #expect(try Self.answer(later) == 42)
        later.close()
        connection.close()
    }

    @Test("near the end an answer that is late is not waited for, and no connection is made after it")
    func silent() throws {
        let settings = try Self.settings()
        let connection = try PostgresConnection.open(settings)
        settings.connections.endSoon()
        #expect(throws: PostgresError(.connectionLost)) {
            try connection.statement("SELECT pg_sleep(30)").first { _ in }
        }
        #expect(throws: PostgresError(.connectionLost)) { _ = try PostgresConnection.open(settings) }
        connection.close()
    }

    @Test("after the end every connection is lost, and others than these are not")
    func over() throws {
        let settings = try Self.settings()
        let own = settings.withOwnConnections()
        let (other, connection) = (try PostgresConnection.open(settings), try PostgresConnection.open(own))
        own.connections.end()
        #expect(throws: PostgresError(.connectionLost)) { try Self.answer(connection) }
        #expect(throws: PostgresError(.connectionLost)) { _ = try PostgresConnection.open(own) }
        #expect(try Self.answer(other) == 42)
        for one in [other, connection] { one.close() }
    }

    @Test("connecting to a server that does not answer ends with the others")
    func connecting() async throws {
        let silent = try SilentPort()
        let settings = PostgresSettings(
            location: try PostgresLocation("postgres://test@\(silent.host)/x"), password: nil, durability: .local)
        let thread = PostgresThread()
        async let connecting: Void = thread.run { try PostgresConnection.open(settings).close() }
        try await Task.sleep(for: .milliseconds(100))
        settings.connections.end()
        var failure: (any Error)?
        do { try await connecting } catch { failure = error }
        // An attempt that is waited for ends with `cannotConnect`, because its time is over.
        #expect(failure as? PostgresError == PostgresError(.connectionLost))
    }

    /// Warnings, of which libpq tells nothing, come a byte after the other from a network that is nearly dead.
    @Test("an answer that must come whole is not waited for while only parts of it come", arguments: [true, false])
    func whole(_ isWhole: Bool) throws {
        let settings = try Self.settings()
        let connection = try PostgresConnection.open(settings)
        connection.wait(upTo: .milliseconds(500), forWholeAnswer: isWhole)
        let statement = """
            DO $$ BEGIN FOR i IN 1..15 LOOP RAISE WARNING 'a part'; PERFORM pg_sleep(0.1); END LOOP; END $$
            """
        if isWhole {
            #expect(throws: PostgresError(.connectionLost)) {
                try connection.statement(statement).run()
                try connection.waitForAnswers()
            }
        } else {
            try connection.statement(statement).run()
            try connection.waitForAnswers()
        }
        connection.close()
    }
}
