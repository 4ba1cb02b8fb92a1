import Foundation
import GRDB
import GRDBSQLite
import SQL
import TestSupport
import Testing

@testable import SQLiteFiles

@Suite struct SchemaTests {
    private static let first = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)"
    private static let second = "CREATE TABLE b (x INTEGER) STRICT; INSERT INTO b SELECT x + 1 FROM a"
    private static let failing = "CREATE TABLE b (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1)"

    private func withDatabase(_ body: (Database) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let queue = try DatabaseQueue(path: folder.path(of: "file.db"))
            try queue.writeWithoutTransaction(body)
            try queue.close()
        }
    }

    private func number(_ sql: String, _ db: Database) throws -> Int64? {
        try db.statement(sql).first { $0.integer(0) }
    }

    private func tables(_ db: Database) throws -> [String] {
        try db.statement("SELECT name FROM sqlite_schema ORDER BY name").all { $0.text(0) }
    }

    @Test("an empty file gets every version, one after the other, and the mark of the service")
    func fresh() throws {
        try withDatabase { db in
            try Schema(versions: [Self.first, Self.second]).migrate(db)
            #expect(try number("PRAGMA user_version", db) == 2)
            #expect(try number("PRAGMA application_id", db) == 0x434C_4E4B)
            #expect(try number("SELECT x FROM b", db) == 2)
        }
    }

    @Test("a file of an older version gets what is new alone, and keeps what is in it")
    func older() throws {
        try withDatabase { db in
            try Schema(versions: [Self.first]).migrate(db)
            try db.execute(sql: "UPDATE a SET x = 41")
            for _ in 1...2 { try Schema(versions: [Self.first, Self.second]).migrate(db) }
            #expect(try number("SELECT count(*) FROM a", db) == 1)
            #expect(try db.statement("SELECT x FROM b").all { $0.integer(0) } == [42])
        }
    }

    @Test("a step that fails leaves the version before, whole; the right step then finds it")
    func failingStep() throws {
        try withDatabase { db in
            #expect(throws: (any Error).self) { try Schema(versions: [Self.first, Self.failing]).migrate(db) }
            #expect(try number("PRAGMA user_version", db) == 1)
            #expect(try tables(db) == ["a"])
            #expect(!db.isInsideTransaction)
            try Schema(versions: [Self.first, Self.second]).migrate(db)
            #expect(try tables(db) == ["a", "b"])
        }
    }

    @Test("a first step that fails leaves a file that is nobody's yet")
    func failingFirstStep() throws {
        try withDatabase { db in
            #expect(throws: (any Error).self) { try Schema(versions: [Self.failing]).migrate(db) }
            #expect(try number("PRAGMA application_id", db) == 0)
            #expect(try tables(db) == [])
            try Schema(versions: [Self.first]).migrate(db)
            #expect(try tables(db) == ["a"])
        }
    }

    @Test(
        "a file of a later version, or of another program, is refused and not changed",
        arguments: [
            (Schema.applicationID, 3, StorageError.newerSchema(found: 3, known: 2)), (7, 0, .foreignFile),
            (7, 2, .foreignFile), (0, 1, .foreignFile),
        ])
    func refused(_ owner: Int64, _ version: Int, _ error: StorageError) throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: SmallFile.name)
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try db.execute(sql: "PRAGMA application_id = \(owner); PRAGMA user_version = \(version)")
                try db.execute(sql: "CREATE TABLE theirs (x)")
            }
            try queue.close()
            let before = try folder.contents(of: SmallFile.name)
            #expect(throws: error) { _ = try SmallFile(in: folder) }
            #expect(try folder.contents(of: SmallFile.name) == before)
            #expect(try folder.files == [SmallFile.name])
        }
    }

    @Test(
        "a file to which a trigger or a view was added is refused, and not changed",
        arguments: [
            "CREATE TRIGGER t BEFORE INSERT ON items BEGIN SELECT raise(ignore); END",
            "CREATE VIEW v AS SELECT id FROM items",
        ])
    func foreignCode(_ statement: String) throws {
        try TemporaryFolder.with { folder in
            try SmallFile(in: folder).file.close()
            let queue = try DatabaseQueue(path: folder.path(of: SmallFile.name))
            try queue.writeWithoutTransaction { db in try db.execute(sql: statement) }
            try queue.close()
            let before = try folder.contents(of: SmallFile.name)
            #expect(throws: StorageError.foreignCode) { _ = try SmallFile(in: folder) }
            #expect(try folder.contents(of: SmallFile.name) == before)
        }
    }

    @Test("a trigger that is added while the file is open does nothing")
    func triggerWhileOpen() throws {
        try SmallFile.with { small in
            try small.insert(1...1)
            let queue = try DatabaseQueue(path: small.path)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "CREATE TRIGGER t BEFORE INSERT ON items BEGIN SELECT raise(ignore); END")
                try db.execute(sql: "INSERT INTO items VALUES (2, NULL)")
                #expect(try number("SELECT count(*) FROM items", db) == 1)
            }
            try queue.close()
            try small.insert(2...3)
            #expect(try small.count == 3)
        }
    }

    @Test("a file that is no database is refused as damaged, and not changed")
    func noDatabase() throws {
        try TemporaryFolder.with { folder in
            let text = String(repeating: "not a database. ", count: 512)
            try folder.write(text, to: SmallFile.name)
            #expect(throws: StorageError.failed(EngineFault(sqlite: SQLITE_NOTADB))) { _ = try SmallFile(in: folder) }
            #expect(try folder.text(of: SmallFile.name) == text)
        }
    }
}
