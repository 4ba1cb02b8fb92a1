import PostgresServer
import SQL
import Testing

@testable import PostgresClient

/// Values of a type that no table was made with: somebody has changed a column.
@Suite struct ForeignTypeTests {
    private func withConnection(_ body: (PostgresConnection) throws -> Void) throws {
        let connection = try PostgresConnection(PostgresServer.shared.makeDatabase(), password: nil)
        try body(connection)
        connection.close()
    }

    @Test(
        "a number that is stored as something else, or is missing, is not read as 0",
        arguments: [
            "5::numeric", "5::double precision", "'5'::text", "'\\x05'::bytea", "NULL::bigint", "NULL::text",
            "ARRAY[5]",
        ])
    func numbers(_ value: String) throws {
        try withConnection { db in
            let statement = try db.statement("SELECT \(value) FROM generate_series(1, 2)")
            #expect(throws: StorageError.unreadable) { try statement.first { $0.integer(0) } }
            #expect(throws: StorageError.unreadable) { try statement.all { $0.bool(0) } }
            var seen = 0
            #expect(throws: StorageError.unreadable) {
                try statement.forEach { row in
                    seen += 1
                    return row.integer(0) != 0
                }
            }
            #expect(seen == 1)
            // Another statement, or the same one that reads nothing, is not affected.
            #expect(try statement.first { $0.isNull(0) } == value.hasPrefix("NULL"))
            #expect(try db.statement("SELECT 7").first { $0.integer(0) } == 7)
        }
    }

    @Test("a text or bytes that are stored as something else are not read", arguments: ["5::numeric", "true", "now()"])
    func texts(_ value: String) throws {
        try withConnection { db in
            let statement = try db.statement("SELECT \(value)")
            #expect(throws: StorageError.unreadable) { try statement.first { $0.text(0) } }
            #expect(throws: StorageError.unreadable) { try statement.first { $0.bytes(0) } }
            #expect(throws: StorageError.unreadable) { try db.statement("SELECT 'a'::text").first { $0.bytes(0) } }
            #expect(throws: StorageError.unreadable) { try db.statement("SELECT '\\x61'::bytea").first { $0.text(0) } }
        }
    }

    @Test("what statements may ask for is read: numbers of each width, texts, and a comparison with NULL")
    func readable() throws {
        try withConnection { db in
            let numbers = try db.statement("SELECT 1::bigint, 2::int, 3::smallint, 4::oid, true, NULL::bigint = 1")
                .first { row in (0..<6).map { row.integer(Int32($0)) } }
            #expect(numbers == [1, 2, 3, 4, 1, 0])
            let texts = try db.statement(
                "SELECT 'a'::text, 'b'::name, 'c'::varchar, 'd'::char(1), 5::bigint, NULL::text"
            ).first { row in (0..<6).map { row.text(Int32($0)) } }
            #expect(texts == ["a", "b", "c", "d", "5", ""])
        }
    }
}
