import GRDB
import GRDBSQLite
import SQL
import Testing

@testable import SQLiteFiles

@Suite struct SQLStatementTests {
    private struct Enough: Error {}

    private static let insert = "INSERT INTO items VALUES (?, ?)"

    private func withItems(_ count: Int, _ body: (Database) throws -> Void) throws {
        try SmallFile.with { small in
            if count > 0 { try small.insert(1...count) }
            try small.write(body)
        }
    }

    private func ids(_ db: Database) throws -> [Int64] {
        try db.statement("SELECT id FROM items ORDER BY id").all { $0.integer(0) }
    }

    @Test("rows come in order, the first or all or until enough, and none is nil or nothing")
    func rows() throws {
        try withItems(5) { db in
            let statement = try db.statement("SELECT id FROM items WHERE id > ? ORDER BY id DESC")
            #expect(try statement.first(2) { $0.integer(0) } == 5)
            #expect(try statement.all(2) { $0.integer(0) } == [5, 4, 3])
            #expect(try statement.first(5) { $0.integer(0) } == nil)
            #expect(try statement.all(5) { $0.integer(0) } == [])
            var seen: [Int64] = []
            try statement.forEach(0) { row in
                seen.append(row.integer(0))
                return seen.count < 2
            }
            #expect(seen == [5, 4])
        }
    }

    @Test("what a row is read with may throw, and the statement is over then: it keeps no snapshot and no lock")
    func thrownOutOf() throws {
        try withItems(3) { db in
            let statement = try db.statement("SELECT id FROM items")
            #expect(throws: Enough.self) { try statement.first { _ in throw Enough() } }
            #expect(try sqlite3_stmt_busy(handle(of: statement)) == 0)
            #expect(throws: Enough.self) { try statement.all { _ in throw Enough() } }
            #expect(try sqlite3_stmt_busy(handle(of: statement)) == 0)
            #expect(throws: Enough.self) { try statement.forEach { _ in throw Enough() } }
            #expect(try sqlite3_stmt_busy(handle(of: statement)) == 0)
            try statement.forEach { _ in false }
            #expect(try sqlite3_stmt_busy(handle(of: statement)) == 0)
        }
    }

    @Test("a statement that was refused can be run again")
    func refused() throws {
        try withItems(1) { db in
            let taken = StorageError.refused(EngineFault(sqlite: SQLITE_CONSTRAINT | 6 << 8))
            #expect(throws: taken) { try db.statement(Self.insert).run(1, "again") }
            try db.statement(Self.insert).run(2, "other")
            #expect(try ids(db) == [1, 2])
        }
    }

    @Test("a statement takes as many values as it has places: none is left over, and none is that of the call before")
    func places() throws {
        try withItems(0) { db in
            let wrong = StorageError.refused(EngineFault(sqlite: SQLITE_RANGE))
            #expect(throws: wrong) { try db.statement(Self.insert).run(1, "a", "b") }
            try db.statement(Self.insert).run(1, "of ana")
            #expect(throws: wrong) { try db.statement(Self.insert).run(2) }
            #expect(throws: wrong) { try db.statement(Self.insert).run() }
            #expect(throws: wrong) { try db.statement("SELECT id FROM items").first(7) { $0.integer(0) } }
            #expect(try ids(db) == [1])
            let content = try db.statement("SELECT content FROM items").all { $0.text(0) }
            #expect(content == ["of ana"])
        }
    }

    @Test("a place that stands twice takes one value")
    func numberedPlace() throws {
        try withItems(3) { db in
            let twice = try db.statement("SELECT id FROM items WHERE id = ?1 OR id = ?1 + 1 ORDER BY id")
            #expect(try twice.all(2) { $0.integer(0) } == [2, 3])
        }
    }

    @Test("a value beyond the limits of the connection is refused, and the next is taken")
    func tooBig() throws {
        try withItems(0) { db in
            sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 1000)
            let tooBig = StorageError.refused(EngineFault(sqlite: SQLITE_TOOBIG))
            #expect(throws: tooBig) { try db.statement(Self.insert).run(1, String(repeating: "x", count: 1001)) }
            #expect(throws: tooBig) { try db.statement(Self.insert).run(1, [UInt8](repeating: 0, count: 1001)) }
            try db.statement(Self.insert).run(1, "short")
            #expect(try ids(db) == [1])
        }
    }

    @Test(
        "a statement that is none is SQLite's refusal, and its text is in no description", arguments: ["SELEC 1", ""])
    func notSQL(_ sql: String) throws {
        try withItems(0) { db in
            var refusal: StorageError?
            do { _ = try db.statement(sql) } catch { refusal = StorageError.translating(error) as? StorageError }
            guard case .refused = refusal else {
                Issue.record("not refused: \(String(describing: refusal))")
                return
            }
            #expect(refusal?.description.contains("SELEC") == false)
        }
    }

    @Test("one that is interrupted among its rows says so, and can be run again")
    func interrupted() throws {
        try withItems(3) { db in
            let statement = try db.statement("SELECT id FROM items")
            let interrupted = StorageError.refused(EngineFault(sqlite: SQLITE_INTERRUPT))
            #expect(throws: interrupted) {
                try statement.forEach { _ in
                    sqlite3_interrupt(db.sqliteConnection)
                    return true
                }
            }
            #expect(try statement.all { $0.integer(0) }.count == 3)
        }
    }

    @Test("the same text is the same statement, prepared once")
    func cached() throws {
        try withItems(0) { db in
            let (one, other) = (try db.statement(Self.insert), try db.statement(Self.insert))
            #expect(try handle(of: one) == handle(of: other))
        }
    }
}

/// SQLite's own.
private func handle(of statement: SQLStatement) throws -> OpaquePointer {
    try #require(statement.prepared as? SQLiteFileStatement).handle
}
