import Foundation
import GRDB
import GRDBSQLite
import SQL
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteFiles

/// A file when the disk is full, the disk fails, another process has it, or it is closed while it is used.
@Suite struct DatabaseFileTests {
    private func size(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test("what was begun is undone, and where nothing was begun nothing happens")
    func rollBack() throws {
        try SmallFile.with { small in
            try small.write { db in
                small.file.rollBack(db)
                try db.beginTransaction(.immediate)
                try db.statement("INSERT INTO items VALUES (?, ?)").run(1, "gone")
                small.file.rollBack(db)
                #expect(!db.isInsideTransaction)
            }
            #expect(try small.count == 0)
            #expect(small.file.health.status == .working)
            try small.insert(2...2)
            #expect(try small.count == 1)
        }
    }

    @Test("what the log has when a file is opened is in the file after that, and the log is empty")
    func writtenBackAtOpening() throws {
        try SmallFile.with { small in
            try small.insert(1...20)
            // As a killed process leaves it.
            try TemporaryFolder.with { left in
                for ending in ["", "-wal"] {
                    try left.write(
                        Array(try small.folder.contents(of: SmallFile.name + ending)), to: SmallFile.name + ending)
                }
                let opened = try SmallFile(in: left)
                defer { try? opened.file.close() }
                #expect(try size(opened.path + "-wal") == 0)
                #expect(try opened.count == 20)
                try opened.insert(21...21)
                #expect(try opened.count == 21)
            }
        }
    }

    @Test("a write that another process keeps out is refused as busy, and the file is well after that")
    func otherProcess() throws {
        try SmallFile.with { small in
            // A connection of another program: the service's own is alone.
            let other = try DatabaseQueue(path: small.path)
            try other.writeWithoutTransaction { theirs in
                try theirs.beginTransaction(.immediate)
                #expect(throws: StorageError.busy) { try small.insert(1...1) }
                try theirs.rollback()
            }
            try other.close()
            try small.insert(1...1)
            #expect(try small.count == 1)
        }
    }

    @Test("on a full disk a commit fails whole, and the next that finds room succeeds")
    func fullDisk() throws {
        try SmallFile.with { small in
            try small.insert(1...1)
            #expect(try small.write(small.file.truncateLog))
            let disk = try BrokenDisk(.full, path: small.path + "-wal")
            let refusal = #expect(throws: StorageError.self) { try small.insert(2...2) }
            disk.repair()
            let error = try #require(refusal)
            #expect(small.file.health.recordFailure(error) as? StorageError == .full)
            #expect(small.file.health.status == .full)
            #expect(try small.count == 1)
            try small.insert(3...3)
            #expect(try small.count == 2)
        }
    }

    @Test("a log that cannot be written back is a failure of the file; what was committed is in the log")
    func failingCheckpoint() throws {
        try TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder)
            try small.insert(1...1)
            #expect(try small.write(small.file.truncateLog))
            try small.insert(2...60, bytes: 8000)
            let disk = try BrokenDisk(.input, path: small.path)
            small.file.writer.writeWithoutTransaction(small.file.checkpointIfLong)
            disk.repair()
            guard case .failed = small.file.health.status else {
                Issue.record("not failed: \(small.file.health.status)")
                return
            }
            let left = try folder.copyAsIfKilled()
            defer { left.remove() }
            let reopened = try SmallFile(in: left)
            #expect(try reopened.count == 60)
            try reopened.file.close()
            try? small.file.close()
        }
    }

    @Test("cutting the log waits for no reader: it says that one stood in the way, and succeeds without")
    func truncation() throws {
        try SmallFile.with { small in
            try small.insert(1...20, bytes: 4000)
            try small.file.readers.readNow { db in
                _ = try db.statement("SELECT count(*) FROM items").first { $0.integer(0) }
                #expect(try !small.write(small.file.truncateLog))
            }
            #expect(small.file.health.status == .working, "a reader is no fault of the disk")
            #expect(try size(small.path + "-wal") > 0)
            #expect(try small.write(small.file.truncateLog))
            #expect(try size(small.path + "-wal") == 0)
            #expect(try small.count == 20)
        }
    }

    @Test("a disk that fails while the log is cut is told, and is no reader in the way")
    func failingTruncation() throws {
        try SmallFile.with { small in
            try small.insert(1...1)
            let disk = try BrokenDisk(.input, path: small.path)
            let error = #expect(throws: StorageError.self) { try small.write(small.file.truncateLog) }
            disk.repair()
            #expect(error?.isFatal == true)
            #expect(throws: StorageError.self) { try small.file.health.requireWorking() }
        }
    }

    @Test("a file in use is not closed; afterwards it is, alone and whole")
    func closedWhileUsed() throws {
        try TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder)
            try small.insert(1...3)
            var statement: OpaquePointer?
            let prepared = small.file.writer.writeWithoutTransaction { db in
                sqlite3_prepare_v2(db.sqliteConnection, "SELECT id FROM items", -1, &statement, nil)
            }
            #expect(prepared == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
            #expect(throws: StorageError.busy) { try small.file.close() }
            sqlite3_finalize(statement)
            try small.file.close()
            #expect(try folder.files == [SmallFile.name])
            let reopened = try SmallFile(in: folder)
            #expect(try reopened.count == 3)
            try reopened.file.close()
        }
    }

    @Test("a log that is kept stays when the file is closed, with nothing in it, and stays from then on")
    func keptLog() throws {
        try TemporaryFolder.with { folder in
            let all = [SmallFile.name, SmallFile.name + "-shm", SmallFile.name + "-wal"]
            let small = try SmallFile(in: folder)
            try small.file.keepLog()
            try small.insert(1...20, bytes: 4000)
            #expect(try size(small.path + "-wal") > 0)
            try small.file.close()
            #expect(try folder.files == all)
            #expect(try size(small.path + "-wal") == 0)
            let reopened = try SmallFile(in: folder)
            #expect(try reopened.count == 20)
            try reopened.insert(21...21)
            try reopened.file.close()
            #expect(try folder.files == all)
            #expect(try size(small.path + "-wal") == 0)
        }
    }

    @Test("a closed file takes and tells nothing, and can be closed again")
    func closed() throws {
        try SmallFile.with { small in
            try small.file.close()
            try small.file.close()
            #expect(throws: (any Error).self) { try small.insert(1...1) }
            #expect(throws: (any Error).self) { try small.count }
        }
    }

    @Test("what a process that was killed had committed is there, and what it had begun is not")
    func killed() throws {
        try SmallFile.with { small in
            try small.insert(1...5)
            let left = try small.write { db in
                try db.beginTransaction(.immediate)
                try db.statement("INSERT INTO items VALUES (?, ?)").run(6, "begun")
                defer { small.file.rollBack(db) }
                return try small.folder.copyAsIfKilled()
            }
            defer { left.remove() }
            let reopened = try SmallFile(in: left)
            #expect(try reopened.count == 5)
            let check = try reopened.write { db in try db.statement("PRAGMA integrity_check").first { $0.text(0) } }
            #expect(check == "ok")
            try reopened.file.close()
        }
    }

    @Test("a page that was overwritten is found by the reader that comes to it, and is no refusal of one request")
    func overwrittenPage() throws {
        try TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder)
            try small.insert(1...40, bytes: 4000)
            try small.file.close()
            var bytes = Array(try folder.contents(of: SmallFile.name))
            bytes.replaceSubrange(4096..., with: [UInt8](repeating: 0xA5, count: bytes.count - 4096))
            try folder.write(bytes, to: SmallFile.name)
            let reopened = try SmallFile(in: folder)
            let error = #expect(throws: StorageError.self) { try reopened.count }
            #expect(error?.isFatal == true)
            guard case .failed(let fault) = error else { return }
            #expect(fault.isDamage)
            try? reopened.file.close()
        }
    }
}
