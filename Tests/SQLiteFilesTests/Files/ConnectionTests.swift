import Foundation
import GRDB
import SQL
import TestSupport
import Testing

@testable import SQLiteFiles

/// Each connection works as durability and forgetting demand.
@Suite struct ConnectionTests {
    private static let schema = Schema(versions: [
        "CREATE TABLE batches (position INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT"
    ])

    @Test("the connection that writes syncs every commit, overwrites what it deletes and checkpoints only when told")
    func writer() throws {
        try withFile { file in
            try file.writer.writeWithoutTransaction { db throws in
                #expect(try value("journal_mode", db) == "wal")
                #expect(try value("synchronous", db) == "2")
                #expect(try value("secure_delete", db) == "1")
                #expect(try value("foreign_keys", db) == "1")
                #expect(try value("wal_autocheckpoint", db) == "0")
                #expect(try value("temp_store", db) == "2")
                #expect(try value("mmap_size", db) == "0")
            }
        }
    }

    @Test("every connection that reads is read-only")
    func readers() throws {
        try withFile { file in
            try file.readers.readNow { db throws in
                #expect(db.configuration.readonly)
                #expect(try value("query_only", db) == "1")
                #expect(try value("temp_store", db) == "2")
                #expect(try value("mmap_size", db) == "0")
            }
        }
    }

    private func value(_ pragma: String, _ db: Database) throws -> String? {
        try db.statement("PRAGMA \(pragma)").first { $0.text(0) }
    }

    @Test(
        "a setting that does not hold is found",
        arguments: [
            ("synchronous = NORMAL", "synchronous", "2", "1"), ("secure_delete = OFF", "secure_delete", "1", "0"),
            ("foreign_keys = OFF", "foreign_keys", "1", "0"), ("temp_store = FILE", "temp_store", "2", "1"),
            ("wal_autocheckpoint = 7", "wal_autocheckpoint", "0", "7"),
            ("mmap_size = 65536", "mmap_size", "0", "65536"),
            ("journal_mode = DELETE", "journal_mode", "wal", "delete"),
        ]
    )
    func verification(_ pragma: String, _ name: String, _ expected: String, _ found: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let queue = try DatabaseQueue(path: folder.path(of: "file.db"))
        try queue.writeWithoutTransaction { db in
            let settings = ConnectionSettings.writer(cacheKibibytes: 1024, logBytes: 8 << 20)
            try settings.apply(to: db)
            try db.execute(sql: "PRAGMA \(pragma)")
            #expect(throws: StorageError.setting(name: name, expected: expected, found: found)) {
                try settings.verify(db)
            }
        }
    }

    @Test("a reader cannot checkpoint, nor does closing one")
    func readersNeverCheckpoint() throws {
        try withFile { file in
            try file.writer.write { try $0.execute(sql: "INSERT INTO batches VALUES (1, x'00')") }
            let main = try Data(contentsOf: URL(filePath: file.writer.path))
            _ = try? file.readers.readNow { db in
                try db.statement("COMMIT").run()
                try db.checkpoint(.truncate)
            }
            try file.readers.close()
            #expect(try Data(contentsOf: URL(filePath: file.writer.path)) == main)
        }
    }

    @Test("the log is written back now and then, so it does not grow with the data")
    func logStaysShort() throws {
        try withFile { file in
            for position in 1...2000 {
                try file.writer.writeWithoutTransaction { db in
                    try db.execute(sql: "INSERT INTO batches VALUES (?, zeroblob(100))", arguments: [position])
                    file.checkpointIfLong(db)
                }
            }
            let log = try FileManager.default.attributesOfItem(atPath: file.writer.path + "-wal")
            let size = try #require(log[.size] as? Int)
            #expect(size < 2 * 100 * 4120)
        }
    }

    @Test("a reader that stays does not make every commit checkpoint, and the log is reset once it is gone")
    func stayingReader() throws {
        try withFile { file in
            func insert(_ positions: ClosedRange<Int>) throws {
                for position in positions {
                    try file.writer.writeWithoutTransaction { db in
                        try db.execute(sql: "INSERT INTO batches VALUES (?, zeroblob(100))", arguments: [position])
                        file.checkpointIfLong(db)
                    }
                }
            }
            try insert(1...10)
            try file.readers.readNow { db in
                _ = try db.statement("SELECT count(*) FROM batches").first { $0.integer(0) }
                try insert(11...300)
            }
            let path = file.writer.path + "-wal"
            let grown = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            try insert(301...2000)
            let later = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            #expect(later < grown + 2 * 100 * 4120)
        }
    }

    @Test("a log that a reader made long is cut once it was written back")
    func longLog() throws {
        try withFile { file in
            func insert(_ rows: ClosedRange<Int>) throws {
                for row in rows {
                    try file.writer.writeWithoutTransaction { db in
                        try db.statement("INSERT INTO batches (position, content) VALUES (?, ?)")
                            .run(Int64(row), [UInt8](repeating: 1, count: 4000))
                        file.checkpointIfLong(db)
                    }
                }
            }
            let limits = DatabaseFile.Limits(checkpointPages: 100, readers: 2, cacheKibibytes: 1024)
            let path = file.writer.path + "-wal"
            func size() throws -> Int {
                try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            }
            try insert(1...10)
            try file.readers.readNow { db in
                _ = try db.statement("SELECT count(*) FROM batches").first { $0.integer(0) }
                try insert(11...400)
                #expect(try size() > limits.logBytes)
            }
            try insert(401...600)
            #expect(try size() <= limits.logBytes)
        }
    }

    private func withFile(_ body: (DatabaseFile) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let limits = DatabaseFile.Limits(checkpointPages: 100, readers: 2, cacheKibibytes: 1024)
        let file = try DatabaseFile(path: folder.path(of: "file.db"), schema: Self.schema, limits: limits)
        try body(file)
        try? file.close()
    }
}
