import Foundation
import GRDB
import Identifiers
import Interactions
import SQL
import SQLiteFiles
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteSpool

@Suite struct SQLiteClickSpoolTests {
    private static let message = MessageID(TimeOrderedNumber(known: 1 << 50))

    @Test("whatever moment a process is killed at, every batch that was acknowledged is there")
    func killed() throws {
        try withSpool { folder, spool in
            var acknowledged = 0
            for round in 0..<25 {
                for _ in 0..<40 {
                    _ = try spool.append(clicks(3, named: "x"))
                    acknowledged += 3
                }
                if round == 12 { try spool.remove(through: .start) }
                let killed = try folder.copyAsIfKilled()
                defer { killed.remove() }
                let survivor = try open(killed)
                #expect(try survivor.read(after: .start, limit: .max).occurrences.count == acknowledged)
                try survivor.close()
            }
        }
    }

    @Test("what an earlier process set aside is counted when the file is opened")
    func setAside() throws {
        try withSpool { folder, spool in
            let position = try spool.append(clicks(3, named: "x"))
            let read = try spool.read(after: .start, limit: 9).occurrences
            try spool.park(Array(read.prefix(2)), at: position)
            let killed = try folder.copyAsIfKilled()
            defer { killed.remove() }
            let next = try open(killed)
            #expect((next.leftover, next.leftParked) == (3, 2))
            try next.close()
        }
    }

    @Test("a batch that is cut off in the log is gone as a whole, and nothing before it")
    func tornLog() throws {
        try withSpool { folder, spool in
            for _ in 0..<5 { _ = try spool.append(clicks(2, named: "x")) }
            let whole = try folder.contents(of: "spool.db-wal")
            _ = try spool.append(clicks(300, named: String(repeating: "y", count: 200)))
            let longer = try folder.contents(of: "spool.db-wal").count
            for length in stride(from: whole.count, to: longer, by: 997) {
                let torn = try folder.copyAsIfKilled()
                defer { torn.remove() }
                let log = try FileHandle(forWritingTo: URL(filePath: torn.path(of: "spool.db-wal")))
                try log.truncate(atOffset: UInt64(length))
                try log.close()
                let survivor = try open(torn)
                #expect(try survivor.read(after: .start, limit: .max).occurrences.count == 10)
                try survivor.close()
            }
        }
    }

    @Test("ids go on growing after a restart, after everything was removed, and after what is in the store")
    func ids() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // The clock stands still at noon; the store is ahead of it.
        var greatest = InteractionID(TimeOrderedNumber(known: TimeOrderedNumber.lowerBound(at: .noon + 1000)))
        var drained = greatest
        for isDrained in [false, false, true, true, false] {
            let spool = try open(folder, drained: drained)
            let position = try spool.append(clicks(5, named: "x"))
            let ids = try spool.read(after: .start, limit: .max).occurrences.map(\.id).suffix(5)
            #expect(ids.allSatisfy { $0 > greatest })
            greatest = try #require(ids.last)
            if isDrained {
                drained = greatest
                try spool.remove(through: position)
            }
            try spool.close()
        }
    }

    @Test(
        "a forged position does not use up the ids, does not hide what comes later, and does not stop the start",
        arguments: [
            Int64.max, -1,
        ])
    func forged(position: Int64) throws {
        try withSpool { folder, spool in
            _ = try spool.append(clicks(1, named: "x"))
            try spool.close()
            let file = try DatabaseQueue(path: folder.path(of: "spool.db"))
            try file.write { try $0.execute(sql: "UPDATE batches SET position = ?", arguments: [position]) }
            try file.close()
            let reopened = try open(folder)
            let appended = try reopened.append(clicks(2, named: "y"))
            #expect(UInt64(appended.rawValue) < TimeOrderedNumber.endOfMade)
            let reading = try reopened.read(after: .start, limit: .max)
            #expect(reading.occurrences.count == 2 && reading.position == appended)
            let later = try reopened.append(clicks(1, named: "z"))
            #expect(try reopened.read(after: reading.position, limit: .max).position == later)
            try reopened.close()
        }
    }

    @Test("what is removed is deleted along with the next append, a little at a time")
    func removal() throws {
        try withSpool { folder, spool in
            var position = SpoolPosition.start
            for _ in 0..<1200 { position = try spool.append(clicks(1, named: "x")) }
            _ = try spool.append(clicks(1, named: "x"))
            try spool.remove(through: position)
            #expect(try rows(folder) == 1201)
            for expected in [702, 203, 4, 5] as [Int64] {
                _ = try spool.append(clicks(1, named: "x"))
                #expect(try rows(folder) == expected)
            }
            #expect(try spool.read(after: .start, limit: .max).occurrences.count == 5)
        }
    }

    @Test("a spool without new clicks does not keep what was drained")
    func idle() throws {
        try withSpool { folder, spool in
            var position = SpoolPosition.start
            for _ in 0..<1200 { position = try spool.append(clicks(1, named: "x")) }
            try spool.remove(through: position)
            #expect(try rows(folder) == 0)
        }
    }

    @Test("after residuals were erased no file holds a byte of what was removed")
    func eraseResiduals() throws {
        try withSpool { folder, spool in
            _ = try spool.append(clicks(20, named: "to-be-forgotten"))
            let position = try spool.append(clicks(300, named: "to-be-forgotten"))
            _ = try spool.append(clicks(2, named: "to-be-kept"))
            try spool.remove(through: position)
            #expect(try folder.filesContaining("to-be-forgotten") != [])
            #expect(spool.erasures == 0)
            try spool.eraseResiduals()
            #expect(spool.erasures == 1)
            #expect(try folder.filesContaining("to-be-forgotten") == [])
            #expect(try folder.filesContaining("to-be-kept") != [])
            #expect(try spool.read(after: .start, limit: 99).occurrences.count == 2)
        }
    }

    @Test("a batch that is damaged is passed over and told once; it stays in the file when it is removed")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try open(folder).close()
        func file<Value>(_ body: (Database) throws -> Value) throws -> Value {
            let file = try DatabaseQueue(path: folder.path(of: "spool.db"))
            defer { try? file.close() }
            return try file.write(body)
        }
        try file { try $0.execute(sql: "INSERT INTO batches VALUES (1, x'07FF')") }
        let spool = try open(folder)
        let last = try spool.append(clicks(2, named: "x"))
        let reading = try spool.read(after: .start, limit: 9)
        #expect(reading.occurrences.count == 2 && reading.position == last && reading.unreadableCount == 1)
        #expect(try spool.read(after: .start, limit: 9).unreadableCount == 0)
        #expect(spool.status == .working)
        try spool.remove(through: last)
        try spool.eraseResiduals()
        #expect(try spool.read(after: .start, limit: 9).occurrences.isEmpty)
        try spool.close()
        #expect(try file { try String.fetchAll($0, sql: "SELECT hex(content) FROM unreadable") } == ["07FF"])
        #expect(try file { try Int.fetchOne($0, sql: "SELECT count(*) FROM batches") } == 0)
    }

    @Test("after an I/O error it takes no click, and what it took is there after a restart")
    func brokenDisk() throws {
        try withSpool { folder, spool in
            _ = try spool.append(clicks(1, named: "x"))
            let disk = try BrokenDisk(.input, path: folder.path(of: "spool.db-wal"))
            #expect(throws: StorageError.self) { try spool.append(clicks(2, named: "x")) }
            disk.repair()
            #expect(throws: StorageError.self) { try spool.append(clicks(2, named: "x")) }
            guard case .failed = spool.status else { return #expect(Bool(false)) }
            try spool.close()

            let reopened = try open(folder)
            #expect(try reopened.read(after: .start, limit: 9).occurrences.count == 1)
            _ = try reopened.append(clicks(1, named: "x"))
            try reopened.close()
        }
    }

    @Test("after closing there is no log left")
    func closing() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let spool = try open(folder)
        _ = try spool.append(clicks(1, named: "x"))
        try spool.close()
        #expect(try folder.files == ["spool.db"])
    }

    @Test("on a full disk it is closed all the same, and what was removed is there once more")
    func closingWithoutRoom() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let spool = try open(folder)
        let last = try spool.append(clicks(3, named: "x"))
        // From now on every delete needs room that there is not.
        try spool.file.writer.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER no_room BEFORE DELETE ON main.batches BEGIN
                        INSERT INTO unreadable (position, content) VALUES (OLD.position, zeroblob(1000000));
                    END;
                    PRAGMA max_page_count = 1;
                    """)
        }
        try spool.remove(through: last)
        try spool.close()
        #expect(spool.status == .full)
        let reopened = try open(folder)
        #expect(try reopened.read(after: .start, limit: 9).occurrences.count == 3)
        try reopened.close()
    }

    @Test("once its files are lost it takes no click, and is not full")
    func lost() throws {
        try withSpool { _, spool in
            _ = try spool.append(clicks(1, named: "x"))
            spool.refuseWrites(because: "spool.db is gone")
            let error = #expect(throws: StorageError.self) { try spool.append(clicks(1, named: "x")) }
            #expect(error?.unrecordedReason == .failed)
        }
    }

    private func withSpool(_ body: (TemporaryFolder, SQLiteClickSpool) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let spool = try open(folder)
        try body(folder, spool)
        try? spool.close()
    }

    private func open(_ folder: TemporaryFolder, drained: InteractionID? = nil) throws -> SQLiteClickSpool {
        try SQLiteClickSpool(folder: folder.path, slot: .single, drained: drained) { .noon }
    }

    private func rows(_ folder: TemporaryFolder) throws -> Int64 {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: folder.path(of: "spool.db"), configuration: configuration)
        return try file.read { try Int64.fetchOne($0, sql: "SELECT count(*) FROM batches") ?? -1 }
    }

    private func clicks(_ count: Int, named name: String) throws -> [Occurrence] {
        let recipient = try #require(RecipientReference(rawValue: 1))
        return (0..<count).map { _ in
            Occurrence(
                kind: .pushNotificationClicked,
                source: .bird,
                occurredAt: .noon,
                message: Self.message,
                recipient: recipient,
                link: .message,
                visitor: .browserAgent,
                action: ActionIdentifier(name)
            )
        }
    }
}
