import GRDB
import SQL
import Testing

@testable import SQLiteFiles

/// What is inserted as rows of one statement is what single statements would have inserted.
@Suite struct SQLiteRowsStatementTests {
    private static let insertion = "INSERT INTO items (id, content) VALUES (?, ?)"

    private func withFile<Result>(_ body: (SQLiteFileConnection) throws -> Result) throws -> Result {
        try SmallFile.with { small in try small.write { db in try body(SQLiteFileConnection(db)) } }
    }

    private func contents(_ db: SQLiteFileConnection) throws -> [String] {
        try db.statement("SELECT typeof(content) || ' ' || coalesce(hex(content), '') FROM items ORDER BY id")
            .all { $0.text(0) }
    }

    @Test("a value of each type is stored as it is bound alone, none and the empty ones among them")
    func values() throws {
        func fill(_ add: (Int, any SQLBindable) throws -> Void) throws {
            let values: [any SQLBindable] = [
                Int64.min, -1, Int64.max, true, "", "a\u{0}b é", [UInt8](), [0, 255, 0] as [UInt8], Int64?.none,
                String?.none, [UInt8]?.none, PersonalText("somebody"),
            ]
            for (id, value) in values.enumerated() { try add(id, value) }
        }
        func add<Value: SQLBindable>(_ id: Int, _ value: Value, to rows: RowInsert) throws { try rows.add(id, value) }
        let one = try withFile { db in
            try fill { try add($0, $1, to: RowInsert(try db.statement(Self.insertion))) }
            return try contents(db)
        }
        let many = try withFile { db in
            let rows = try db.rows(Self.insertion)
            try fill { try add($0, $1, to: rows) }
            #expect(try contents(db) == [], "they wait")
            try rows.finish()
            return try contents(db)
        }
        #expect(one == many && many.count == 12)
    }

    @Test("any number of rows comes in their order, once each, and nothing of them is left for the next")
    func numbers() throws {
        try withFile { db in
            for count in [0, 1, 255, 256, 257, 1_000] {
                let rows = try db.rows(Self.insertion)
                for id in 0..<count { try rows.add(id, "\(id)") }
                try rows.finish()
                try rows.finish()
                let found = try db.statement("SELECT content FROM items ORDER BY rowid").all { $0.text(0) }
                #expect(found == (0..<count).map(String.init))
                try db.statement("DELETE FROM items").run()
            }
        }
    }

    @Test("rows with many bytes do not wait for others")
    func large() throws {
        try withFile { db in
            let rows = try db.rows(Self.insertion)
            let bytes = [UInt8](repeating: 7, count: 100_000)
            for id in 0..<10 { try rows.add(id, bytes) }
            #expect(try contents(db).count == 9)
            try rows.finish()
            #expect(try db.statement("SELECT sum(length(content)) FROM items").first { $0.integer(0) } == 1_000_000)
        }
    }

    @Test("a row that the table refuses is an error, and the write can be taken back")
    func refused() throws {
        try withFile { db in
            try db.database.inSavepoint {
                let rows = try db.rows(Self.insertion)
                for id in [1, 2, 1] { try rows.add(id, "x") }
                #expect(throws: StorageError.self) { try rows.finish() }
                return .rollback
            }
            #expect(try contents(db) == [])
            let rows = try db.rows(Self.insertion)
            try rows.add(1, "y")
            try rows.finish()
            #expect(try contents(db) == ["text 79"])
        }
    }

    @Test("a row with more or fewer values than places is refused, and is not there")
    func wrongCount() throws {
        try withFile { db in
            let rows = try db.rows(Self.insertion)
            #expect(throws: StorageError.self) { try rows.add(1) }
            #expect(throws: StorageError.self) { try rows.add(1, "x", "y") }
            try rows.add(2, "x")
            try rows.finish()
            #expect(try db.statement("SELECT id FROM items").all { $0.integer(0) } == [2])
        }
    }

    @Test("what says what to do with rows that are there is done for each at once")
    func conflicts() throws {
        try withFile { db in
            let rows = try db.rows(
                Self.insertion + " ON CONFLICT (id) DO UPDATE SET content = items.content + excluded.content")
            for value in [1, 2, 4] { try rows.add(1, value) }
            #expect(try db.statement("SELECT content FROM items").first { $0.integer(0) } == 7)
        }
    }

    @Test("nothing of a file reads rows that are bound, and without rows there are none")
    func bound() throws {
        try withFile { db in
            #expect(try db.statement("SELECT count(*) FROM bound_rows(?)").first(1) { $0.integer(0) } == 0)
            #expect(throws: DatabaseError.self) { try db.statement("SELECT * FROM bound_rows").first { _ in 0 } }
            try db.statement("CREATE VIEW seen AS SELECT c0 FROM bound_rows(1)").run()
            #expect(throws: DatabaseError.self) { try db.statement("SELECT * FROM seen").first { _ in 0 } }
        }
    }

    @Test(
        "the text has a column for each place",
        arguments: [
            ("INSERT INTO a (b) VALUES (?)", "INSERT OR FAIL INTO a (b) SELECT c0 FROM bound_rows(?)"),
            (
                "INSERT INTO a (\n  b, c\n) VALUES (\n  ?, ?)",
                "INSERT OR FAIL INTO a (\n  b, c\n) SELECT c0, c1 FROM bound_rows(?)"
            ),
            ("INSERT INTO a VALUES (?, 1)", nil), ("INSERT INTO a VALUES (?) ON CONFLICT DO NOTHING", nil),
            ("INSERT INTO a VALUES (" + [String](repeating: "?", count: 33).joined(separator: ",") + ")", nil),
        ])
    func text(_ sql: String, _ expected: String?) { #expect(BoundRowsInsert.text(of: sql)?.sql == expected) }
}
