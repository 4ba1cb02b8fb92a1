import Foundation
import GRDB
import SQL
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteFiles

@Suite struct DatabaseCopyTests {
    private struct Enough: Error {}

    @Test("a copy has what is only in the log, opens as the file does, and is its owner's alone")
    func whole() async throws {
        try await SmallFile.with { small in
            try small.insert(1...50, bytes: 4000)
            try await TemporaryFolder.with { target in
                try await small.file.copy(to: target.path(of: SmallFile.name)) {}
                #expect(try target.files == [SmallFile.name])
                #expect(try target.permissions(of: SmallFile.name) == 0o600)
                let copy = try SmallFile(in: target)
                #expect(try copy.count == 50)
                try copy.file.close()
            }
        }
    }

    @Test("what is written while it is made is not in it, though the pages come one after the other")
    func snapshot() async throws {
        try await SmallFile.with { small in
            try small.insert(1...2000, bytes: 4000)
            try await TemporaryFolder.with { target in
                // Before the first step, and between two.
                try await small.file.copy(to: target.path(of: SmallFile.name)) {
                    try small.write { db in
                        try db.execute(sql: "DELETE FROM items WHERE id = (SELECT max(id) FROM items)")
                    }
                }
                #expect(try small.count < 1999, "it was written to more than once meanwhile")
                let copy = try SmallFile(in: target)
                #expect(try copy.count == 2000)
                try copy.file.close()
            }
        }
    }

    @Test("a table whose rows are not for the copy is empty in it, without a byte of them, and as it was in the file")
    func emptied() async throws {
        try await SmallFile.with { small in
            try small.insert(1...500, bytes: 4000)
            try small.write { db in
                for id in 501...900 {
                    let text = "a marked row " + String(repeating: "x", count: id * 10)
                    try db.statement("INSERT INTO items VALUES (?, ?)").run(id, text)
                }
                try db.execute(sql: "DELETE FROM items WHERE id > 800")
            }
            try await TemporaryFolder.with { target in
                try await small.file.copy(to: target.path(of: SmallFile.name), emptying: ["items"]) {}
                #expect(try target.files == [SmallFile.name])
                #expect(try target.filesContaining("a marked row").isEmpty)
                let copy = try SmallFile(in: target)
                #expect(try copy.count == 0 && small.count == 800)
                try copy.insert(1...1)
                try copy.file.close()
            }
        }
    }

    @Test("it ends when it is told to, at once or between two steps", arguments: [1, 2])
    func told(_ step: Int) async throws {
        try await SmallFile.with { small in
            try small.insert(1...2000, bytes: 4000)
            try await TemporaryFolder.with { target in
                let steps = StepCount()
                await #expect(throws: Enough.self) {
                    try await small.file.copy(to: target.path(of: SmallFile.name)) {
                        if steps.next() == step { throw Enough() }
                    }
                }
                #expect(steps.count == step)
                let count = try small.count
                #expect(count == 2000)
            }
        }
    }

    @Test("a full disk of the copy is told, and says nothing against the file")
    func fullDisk() async throws {
        try await SmallFile.with { small in
            try small.insert(1...2000, bytes: 4000)
            try await TemporaryFolder.with { target in
                let (path, steps) = (target.path(of: SmallFile.name), StepCount())
                await #expect(throws: FailedCopy(path: path, reason: "the disk is full")) {
                    try await small.file.copy(to: path) {
                        if steps.next() == 2 { _ = try BrokenDisk(.full, path: path) }
                    }
                }
                #expect(small.file.health.status == .working)
                try small.insert(2001...2001)
            }
        }
    }

    @Test("a link in the place of the copy is not followed, and a folder that is not there is not made")
    func otherPlaces() async throws {
        try await SmallFile.with { small in
            try await TemporaryFolder.with { target in
                let link = target.path(of: SmallFile.name)
                try FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: target.path(of: "elsewhere"))
                let places = [
                    (link, "Too many levels of symbolic links"),
                    (target.path(of: "no/such/folder.db"), "No such file or directory"),
                ]
                for (path, reason) in places {
                    await #expect(throws: FailedCopy(path: path, reason: reason)) {
                        try await small.file.copy(to: path) {}
                    }
                }
                let files = try target.files
                #expect(files == [SmallFile.name])
            }
        }
    }

    @Test("an erasure is counted, from whichever thread it comes")
    func erasures() async {
        let epoch = ErasureEpoch()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { epoch.add() } }
        }
        #expect(epoch.count == 100)
    }
}

@Suite struct PrivateFileTests {
    @Test("a file is made empty and for its owner alone; one that is there is kept as it is")
    func create() throws {
        try TemporaryFolder.with { folder in
            try PrivateFile.create(at: folder.path(of: "new"))
            #expect(try folder.contents(of: "new").isEmpty)
            #expect(try folder.permissions(of: "new") == 0o600)
            try folder.write("kept", to: "old")
            try PrivateFile.create(at: folder.path(of: "old"))
            #expect(try folder.text(of: "old") == "kept")
        }
    }

    @Test("no link is followed, no folder is taken for a file, and none is made")
    func refused() throws {
        try TemporaryFolder.with { folder in
            let link = folder.path(of: "link")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path(of: "target"))
            let places = [
                (link, "Too many levels of symbolic links"), (folder.path, "Is a directory"),
                (folder.path(of: "no/such/folder"), "No such file or directory"),
            ]
            for (path, reason) in places {
                #expect(throws: StorageError.cannotCreateFile(reason: reason)) { try PrivateFile.create(at: path) }
            }
            #expect(try folder.files == ["link"])
        }
    }

    @Test("a file is emptied, and none is made")
    func empty() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("x", to: "file")
            try PrivateFile.empty(at: path)
            #expect(try folder.contents(of: "file").isEmpty)
            try PrivateFile.empty(at: folder.path(of: "nothing"))
            #expect(throws: StorageError.cannotCreateFile(reason: "Is a directory")) {
                try PrivateFile.empty(at: folder.path)
            }
            #expect(try folder.files == ["file"])
        }
    }

    @Test("a folder is synced, and what is none is not")
    func sync() throws {
        try TemporaryFolder.with { folder in
            try PrivateFile.syncFolder(folder.path)
            let file = try folder.write("x", to: "file")
            for (path, reason) in [
                (file, "Not a directory"), (folder.path(of: "nothing"), "No such file or directory"),
            ] {
                #expect(throws: StorageError.cannotCreateFile(reason: reason)) { try PrivateFile.syncFolder(path) }
            }
        }
    }
}
