import GRDB
import Glibc
import Identifiers
import SQL
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteFiles

/// Which data folder a file is of, as it says itself, opened or not.
@Suite struct FolderIDTableTests {
    private let (one, other): (FolderID, FolderID)

    init() {
        var generator = SeededGenerator(seed: 3)
        (one, other) = (FolderID(using: &generator), FolderID(using: &generator))
    }

    @Test("a file that is made has its folder on disk at once, and lies there alone and closed to others")
    func made() throws {
        try TemporaryFolder.with { folder in
            try DatabaseFile.make(SmallFile.name, SmallFile.schema, in: folder.path, id: one)
            #expect(DatabaseFileProbe(path: folder.path(of: SmallFile.name)) == .own(one, hasLedgers: false))
            #expect(try folder.files == [SmallFile.name])
            #expect(try folder.permissions(of: SmallFile.name) == 0o600)
        }
    }

    @Test("making keeps a file that is there, what is in it and whose it is")
    func madeAgain() throws {
        try TemporaryFolder.with { folder in
            try DatabaseFile.make(SmallFile.name, SmallFile.schema, in: folder.path, id: one)
            var small = try SmallFile(in: folder)
            try small.insert(1...3)
            try small.file.close()
            try DatabaseFile.make(SmallFile.name, SmallFile.schema, in: folder.path, id: other)
            small = try SmallFile(in: folder)
            #expect(try small.file.folder() == one)
            #expect(try small.count == 3)
            try small.file.close()
        }
    }

    @Test("a folder is noted once, and on return the file itself has it, while others go on reading")
    func noted() throws {
        try SmallFile.with { small in
            #expect(try small.file.folder() == nil)
            #expect(DatabaseFileProbe(path: small.path) != .own(one, hasLedgers: false))
            try small.file.store(one)
            #expect(DatabaseFileProbe(path: small.path) == .own(one, hasLedgers: false))
            try small.file.store(other)
            #expect(try small.file.folder() == one)
        }
    }

    @Test("while a reader keeps the log a note cannot be brought into the file, and says so")
    func reading() throws {
        try SmallFile.with { small in
            try small.insert(1...1)
            try small.file.readers.readNow { db in
                _ = try db.statement("SELECT count(*) FROM items").first { $0.integer(0) }
                #expect(throws: StorageError.busy) { try small.file.store(one) }
            }
            #expect(small.file.health.status == .working)
        }
    }

    @Test("an id that no version writes is no id", arguments: ["", "me", "../../etc/passwd"])
    func unreadable(_ text: String) throws {
        try SmallFile.with { small in
            try small.write { db in try db.statement("INSERT INTO folder (id) VALUES (?)").run(text) }
            #expect(throws: StorageError.unreadable) { try small.file.folder() }
            #expect(throws: StorageError.unreadable) { try small.file.store(one) }
        }
    }
}

@Suite struct FileGlanceTests {
    /// A closed file with some pages, of no folder.
    private func withFile(_ body: (TemporaryFolder, String) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let small = try SmallFile(in: folder)
            try small.insert(1...20, bytes: 4000)
            try small.file.close()
            try body(folder, small.path)
        }
    }

    @Test("a file of the service says so, and looking changes nothing beside it")
    func own() throws {
        try withFile { folder, path in
            let before = try folder.contents(of: SmallFile.name)
            #expect(DatabaseFileProbe(path: path) == .own(nil, hasLedgers: false))
            #expect(try folder.files == [SmallFile.name])
            #expect(try folder.contents(of: SmallFile.name) == before)
        }
    }

    @Test("looking at a file that is open takes no lock from it")
    func keepsLocks() throws {
        try SmallFile.with { small in
            try small.insert(1...1)
            // Stays open: to close it would be the very fault.
            let descriptor = open(small.path, O_RDONLY | O_CLOEXEC)
            #expect(descriptor >= 0)
            #expect(isLocked(descriptor))
            #expect(DatabaseFileProbe(path: small.path) != .foreign)
            #expect(isLocked(descriptor))
        }
    }

    /// Whether anybody has a lock on the bytes that SQLite locks while it has a file open. An open file's own lock meets
    /// also those of this process (F_OFD_GETLK, fcntl(2)).
    private func isLocked(_ descriptor: CInt) -> Bool {
        var lock = flock(
            l_type: CShort(F_WRLCK), l_whence: CShort(SEEK_SET), l_start: 0x4000_0002, l_len: 510, l_pid: 0)
        return fcntl(descriptor, 36, &lock) == 0 && lock.l_type != CShort(F_UNLCK)
    }

    @Test("a file with ledgers says so")
    func ledgers() throws {
        try withFile { _, path in
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "CREATE TABLE ledgers (id INTEGER)") }
            try queue.close()
            #expect(DatabaseFileProbe(path: path) == .own(nil, hasLedgers: true))
        }
    }

    @Test(
        "a file of another program is foreign, with whichever number it has",
        arguments: [
            "PRAGMA application_id = 7", "PRAGMA application_id = 0", "PRAGMA application_id = -1",
        ])
    func foreign(_ change: String) throws {
        try withFile { _, path in
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: change) }
            try queue.close()
            #expect(DatabaseFileProbe(path: path) == .foreign)
        }
    }

    @Test("what is not there, is a folder or no database is damaged")
    func damaged() throws {
        try TemporaryFolder.with { folder in
            #expect(DatabaseFileProbe(path: folder.path(of: "nothing.db")) == .damaged)
            #expect(DatabaseFileProbe(path: folder.path) == .damaged)
            let text = try folder.write(String(repeating: "no database ", count: 1000), to: "text.db")
            #expect(DatabaseFileProbe(path: text) == .damaged)
            #expect(try folder.files == ["text.db"])
        }
    }

    @Test("a file that was cut is damaged, wherever it was cut", arguments: [10, 99, 100, 1000, 4095])
    func cut(_ length: Int) throws {
        try withFile { folder, path in
            let whole = try folder.contents(of: SmallFile.name)
            try folder.write(Array(whole.prefix(length)), to: SmallFile.name)
            #expect(DatabaseFileProbe(path: path) == .damaged)
        }
    }

    @Test("a file that lacks its end is damaged, a page of it or a byte", arguments: [1, 10, 4095, 4096, 4097])
    func lacksItsEnd(_ missing: Int) throws {
        try withFile { folder, path in
            let whole = try folder.contents(of: SmallFile.name)
            try folder.write(Array(whole.dropLast(missing)), to: SmallFile.name)
            #expect(DatabaseFileProbe(path: path) == .damaged)
        }
    }

    @Test(
        "a path is taken as it is, and not as a URI that opens something else",
        arguments: [
            "what?mode=memory", "a#b", "100%25", "a%3fb", "a b", "é",
        ])
    func strangePath(_ name: String) throws {
        try withFile { folder, path in
            let strange = folder.path(of: name)
            #expect(DatabaseFileProbe(path: strange) == .damaged)
            try folder.write(Array(try folder.contents(of: SmallFile.name)), to: name)
            #expect(DatabaseFileProbe(path: strange) == .own(nil, hasLedgers: false))
        }
    }
}
