import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteFiles

/// What the doctor asks of a database file that no service uses.
@Suite struct FileCheckTests {
    /// A file of some hundred pages in `folder`, closed.
    private func make(in folder: TemporaryFolder) throws -> String {
        let small = try SmallFile(in: folder)
        try small.insert(1...500, bytes: 1000)
        try small.file.close()
        return small.path
    }

    /// Calls `body` with the path of a file that was left as a killed process leaves it, with a log and its index.
    private func withLog(_ body: (TemporaryFolder, String) throws -> Void) throws {
        try SmallFile.with { small in
            try small.insert(1...500, bytes: 1000)
            try TemporaryFolder.with { killed in
                for ending in ["", "-wal", "-shm"] {
                    try FileManager.default.copyItem(
                        atPath: small.path + ending, toPath: killed.path(of: SmallFile.name + ending))
                }
                try body(killed, killed.path(of: SmallFile.name))
            }
        }
    }

    private func overwrite(_ path: String, page: Int) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: UInt64(page - 1) * 4096)
        try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 4096))
        try file.close()
    }

    private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try folder.files { contents[name] = try Data(contentsOf: URL(filePath: folder.path(of: name))) }
        return contents
    }

    @Test("a file is sound until one of its pages is overwritten, and reading it changes nothing")
    func damage() throws {
        try TemporaryFolder.with { folder in
            let path = try make(in: folder)
            #expect(FileCheck(path: path) == .sound)
            try overwrite(path, page: 40)
            let before = try contents(folder)
            guard case .damaged(let text) = FileCheck(path: path) else {
                Issue.record("not found")
                return
            }
            #expect(!text.isEmpty && !text.contains("\n"))
            let after = try contents(folder)
            #expect(after == before)
        }
    }

    @Test("an index that lacks a row of its table is damage")
    func missingInIndex() throws {
        try TemporaryFolder.with { folder in
            let path = try make(in: folder)
            try change(path, "CREATE INDEX items_by_content ON items (content)")
            #expect(FileCheck(path: path) == .sound)
            // The index is hidden while a row is added.
            try change(
                path,
                """
                PRAGMA writable_schema = ON;
                CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'items_by_content';
                DELETE FROM sqlite_schema WHERE name = 'items_by_content';
                PRAGMA writable_schema = RESET;
                INSERT INTO items VALUES (501, 'x');
                PRAGMA writable_schema = ON;
                INSERT INTO sqlite_schema SELECT * FROM kept;
                PRAGMA writable_schema = RESET;
                """)
            #expect(FileCheck(path: path) == .damaged("row 501 missing from index items_by_content"))
        }
    }

    @Test(
        "a trigger or a view is found",
        arguments: ["TRIGGER t AFTER DELETE ON items BEGIN SELECT 1; END", "VIEW v AS SELECT 1"])
    func foreignCode(_ added: String) throws {
        try TemporaryFolder.with { folder in
            let path = try make(in: folder)
            try change(path, "CREATE \(added)")
            #expect(FileCheck(path: path) == .foreignCode)
        }
    }

    private func change(_ path: String, _ statements: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in try db.execute(sql: statements) }
        try queue.close()
    }

    @Test("what a killed process left in the log counts, and neither the log nor its index is changed")
    func log() throws {
        try withLog { folder, path in
            let before = try contents(folder)
            #expect(FileCheck(path: path) == .sound)
            let after = try contents(folder)
            #expect(after == before)
        }
    }

    @Test("a log without its index is not read, because reading it would make the index")
    func logWithoutIndex() throws {
        try withLog { folder, path in
            try FileManager.default.removeItem(atPath: path + "-shm")
            #expect(FileCheck(path: path) == .unchecked)
            let files = try folder.files
            #expect(Set(files) == [SmallFile.name, SmallFile.name + "-wal"])
        }
    }

    @Test("what is no database is damaged, and of what is not there nothing is said")
    func noDatabase() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write([UInt8](repeating: 7, count: 8192), to: "a?b#c%d.db")
            #expect(FileCheck(path: path) == .damaged("file is not a database"))
            #expect(FileCheck(path: folder.path(of: "none.db")) == .unchecked)
        }
    }
}
