import GRDB
import SQL
import TestSupport
import Testing

@testable import SQLiteFiles

/// A file whose tables are not those of its version does not keep what the service promises.
@Suite struct ChangedSchemaTests {
    private static let schema = Schema(versions: [
        """
        CREATE TABLE people (
            id   INTEGER PRIMARY KEY,                 -- never used again
            name TEXT NOT NULL UNIQUE CHECK (name <> '')
        ) STRICT;
        CREATE INDEX people_by_name ON people (name, id);
        """,
        "ALTER TABLE people ADD COLUMN age INTEGER NOT NULL DEFAULT 0",
    ])
    private static let people = SchemaObjectName(type: "table", name: "people")
    private static let byName = SchemaObjectName(type: "index", name: "people_by_name")

    /// Makes a file, runs `statements` on it while it is closed, and calls `body` with its path.
    private func withChanged(_ statements: String, _ body: (TemporaryFolder, String) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder, schema: Self.schema)
            try small.file.close()
            let queue = try DatabaseQueue(path: small.path)
            try queue.writeWithoutTransaction { db in try db.execute(sql: statements) }
            try queue.close()
            try body(folder, small.path)
        }
    }

    @Test(
        "a file with other tables, constraints or indexes than its version is refused, and not changed",
        arguments: [
            ("ALTER TABLE people DROP COLUMN age", SchemaDifference.different(people)),
            ("ALTER TABLE people RENAME COLUMN age TO years", .different(people)),
            ("ALTER TABLE people ADD COLUMN size INTEGER", .different(people)),
            ("DROP TABLE people", .missing(people)), ("DROP INDEX people_by_name", .missing(byName)),
            (
                "DROP INDEX people_by_name; CREATE INDEX people_by_name ON people (name, id) WHERE id > 1",
                .different(byName)
            ),
            (
                """
                DROP TABLE people;
                CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL DEFAULT 0) STRICT;
                CREATE INDEX people_by_name ON people (name, id);
                """, .different(people)
            ),
            ("CREATE TABLE songs (title)", .unknown(SchemaObjectName(type: "table", name: "songs"))),
            ("CREATE INDEX names ON people (name)", .unknown(SchemaObjectName(type: "index", name: "names"))),
            ("PRAGMA user_version = 1", .different(people)), ("PRAGMA user_version = 0", .version(0)),
            ("PRAGMA user_version = -1", .version(-1)), ("PRAGMA user_version = -2147483648", .version(-2_147_483_648)),
        ])
    func refused(_ statements: String, _ difference: SchemaDifference) throws {
        try withChanged(statements) { folder, path in
            let before = try folder.contents(of: SmallFile.name)
            #expect(FileCheck(path: path, schema: Self.schema) == .foreignSchema(difference))
            #expect(FileCheck(comparing: path, with: Self.schema) == .foreignSchema(difference))
            #expect(FileCheck(path: path) == .sound)
            #expect(throws: StorageError.foreignSchema(difference)) {
                _ = try SmallFile(in: folder, schema: Self.schema)
            }
            #expect(try folder.contents(of: SmallFile.name) == before)
        }
    }

    @Test(
        "statistics, and a column that was added in other white space, are no difference",
        arguments: [
            "ANALYZE", "INSERT INTO people VALUES (1, 'x', 1); ANALYZE",
            """
            ALTER TABLE people DROP COLUMN age;
            ALTER TABLE people ADD COLUMN age  INTEGER NOT NULL
                DEFAULT 0
            """,
        ])
    func same(_ statements: String) throws {
        try withChanged(statements) { folder, path in
            #expect(FileCheck(path: path, schema: Self.schema) == .sound)
            try SmallFile(in: folder, schema: Self.schema).file.close()
        }
    }

    /// Only SQLite itself gives such names, unless somebody writes into the schema.
    @Test(
        "an object with a name that SQLite keeps for itself is found",
        arguments: [
            ("index", "CREATE UNIQUE INDEX evil ON people (age)"), ("table", "CREATE TABLE evil (a)"),
        ])
    func reservedName(_ type: String, _ statement: String) throws {
        let renamed = """
            \(statement);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET name = 'sqlite_evil', sql = replace(sql, 'evil', 'sqlite_evil')
                WHERE name = 'evil';
            UPDATE sqlite_schema SET tbl_name = 'sqlite_evil' WHERE tbl_name = 'evil';
            """
        try withChanged(renamed) { folder, path in
            let difference = SchemaDifference.unknown(SchemaObjectName(type: type, name: "sqlite_evil"))
            #expect(FileCheck(path: path, schema: Self.schema) == .foreignSchema(difference))
            #expect(throws: StorageError.foreignSchema(difference)) {
                _ = try SmallFile(in: folder, schema: Self.schema)
            }
        }
    }

    @Test("a file of a later version, or of another program, is told as one")
    func notOfThisVersion() throws {
        try withChanged("PRAGMA user_version = 99") { _, path in
            #expect(FileCheck(path: path, schema: Self.schema) == .newer)
            #expect(FileCheck(comparing: path, with: Self.schema) == .newer)
        }
        try withChanged("PRAGMA application_id = 7") { _, path in
            #expect(FileCheck(path: path, schema: Self.schema) == .foreignFile)
            #expect(FileCheck(comparing: path, with: Self.schema) == .foreignFile)
        }
    }

    @Test("what another program changes while the file is open is found without stopping its use")
    func whileOpen() throws {
        try TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder, schema: Self.schema)
            #expect(FileCheck(comparing: small.path, with: Self.schema) == .sound)
            // Only the log has it until it is written back.
            try small.file.writer.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE songs (title)") }
            let songs = SchemaObjectName(type: "table", name: "songs")
            #expect(FileCheck(comparing: small.path, with: Self.schema) == .foreignSchema(.unknown(songs)))
            try small.file.writer.writeWithoutTransaction { db in
                try db.execute(sql: "DROP TABLE songs; INSERT INTO people (name) VALUES ('x')")
            }
            #expect(FileCheck(comparing: small.path, with: Self.schema) == .sound)
            try small.file.close()
        }
    }

    @Test("a file of an earlier version is compared with that version before it is migrated")
    func earlier() throws {
        try TemporaryFolder.with { folder in
            let first = Schema(versions: Array(Self.schema.versions.prefix(1)))
            let small = try SmallFile(in: folder, schema: first)
            try small.file.close()
            #expect(FileCheck(path: small.path, schema: Self.schema) == .sound)
            let queue = try DatabaseQueue(path: small.path)
            try queue.writeWithoutTransaction { db in try db.execute(sql: "DROP INDEX people_by_name") }
            try queue.close()
            let before = try folder.contents(of: SmallFile.name)
            #expect(throws: StorageError.foreignSchema(.missing(Self.byName))) {
                _ = try SmallFile(in: folder, schema: Self.schema)
            }
            #expect(try folder.contents(of: SmallFile.name) == before)
        }
    }

    @Test("a file with tables and no mark is another program's")
    func unmarked() throws {
        try TemporaryFolder.with { folder in
            let queue = try DatabaseQueue(path: folder.path(of: SmallFile.name))
            try queue.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE songs (title)") }
            try queue.close()
            #expect(throws: StorageError.foreignFile) { _ = try SmallFile(in: folder, schema: Self.schema) }
        }
    }

    @Test(
        "comments and white space are no words, and what is in quotes is kept",
        arguments: [
            ("CREATE TABLE a (x INTEGER)", "CREATE TABLE a(\n  x INTEGER -- a note\n)", true),
            ("a /* b */ c", "a c", true), ("a -- b", "a", true), ("a /* b", "a", true),
            ("CHECK (x = 'a  b')", "CHECK (x = 'a b')", false), ("CHECK (x = '--')", "CHECK (x = '')", false),
            ("x <> 1", "x < > 1", true), ("UNIQUE", "", false), ("a b", "ab", false), ("\"a b\"", "a b", false),
            ("'it''s'", "'it' 's'", true), ("'", "", false),
        ])
    func words(_ one: String, _ other: String, _ areSame: Bool) {
        #expect((SQLWords(one) == SQLWords(other)) == areSame)
    }
}
