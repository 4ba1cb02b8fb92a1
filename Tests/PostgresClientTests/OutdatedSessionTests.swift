import PostgresServer
import SQL
import Testing

@testable import PostgresClient

/// Errors that a new connection may not have: an administrator has corrected a setting meanwhile.
@Suite struct OutdatedSessionTests {
    private func withConnection(_ body: (PostgresConnection) throws -> Void) throws {
        let connection = try PostgresConnection(PostgresServer.shared.makeDatabase(), password: nil)
        defer { connection.close() }
        try connection.run(script: "CREATE TABLE t (n bigint PRIMARY KEY)")
        try body(connection)
    }

    @Test("a table that is not found ends the connection, and the rollback of its transaction comes before")
    func missingTable() throws {
        try withConnection { db in
            try db.begin()
            #expect(throws: PostgresError.self) { try db.statement("SELECT n FROM missing").first { _ in } }
            #expect(db.isUsable)
            db.rollBack()
            #expect(!db.isUsable)
        }
        try withConnection { db in
            #expect(throws: PostgresError.self) { try db.statement("SELECT n FROM missing").first { _ in } }
            #expect(!db.isUsable)
        }
    }

    @Test("a write in a session that takes none ends the connection")
    func readOnly() throws {
        try withConnection { db in
            try db.begin(.snapshot)
            try db.statement("INSERT INTO t (n) VALUES (?)").run(1)
            let error = #expect(throws: PostgresError.self) { try db.waitForAnswers() }
            #expect(error?.isRetryable == true)
            db.rollBack()
            #expect(!db.isUsable)
        }
    }

    @Test("a statement that was prepared for another column ends the connection")
    func changedColumn() throws {
        try withConnection { db in
            let all = try db.statement("SELECT n FROM t")
            try all.first { _ in }
            try db.run(script: "ALTER TABLE t ALTER n TYPE int")
            #expect(throws: PostgresError.self) { try all.first { _ in } }
            #expect(!db.isUsable)
        }
    }

    @Test("what else was done in the transaction is committed before the connection ends")
    func savepoint() throws {
        let location = try PostgresServer.shared.makeDatabase()
        let db = try PostgresConnection(location, password: nil)
        try db.run(script: "CREATE TABLE t (n bigint PRIMARY KEY)")
        try db.begin()
        try db.statement("INSERT INTO t (n) VALUES (?)").run(1)
        try db.statement("SAVEPOINT request").run()
        #expect(throws: PostgresError.self) { try db.statement("SELECT n FROM missing").first { _ in } }
        try db.statement("ROLLBACK TO SAVEPOINT request").run()
        try db.commit()
        #expect(!db.isUsable)
        let other = try PostgresConnection(location, password: nil)
        #expect(try other.statement("SELECT count(*) FROM t").first { $0.integer(0) } == 1)
        db.close()
        other.close()
    }

    @Test("an error of a value leaves the connection as it is")
    func value() throws {
        try withConnection { db in
            #expect(throws: PostgresError.self) { try db.statement("SELECT 1 / ?::bigint").first(0) { _ in } }
            #expect(db.isUsable)
        }
    }
}
