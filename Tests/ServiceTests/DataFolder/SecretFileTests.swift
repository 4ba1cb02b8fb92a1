import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Service

/// Small files that only their owner may read, and what stands in their place instead.
@Suite struct SecretFileTests {
    private func file(_ folder: TemporaryFolder, _ name: String = "a.key") -> SecretFile {
        SecretFile(path: folder.path(of: name))
    }

    @Test("a file is replaced whole, is its owner's alone, and leaves nothing beside it")
    func replaced() throws {
        try TemporaryFolder.with { folder in
            let file = file(folder)
            #expect(try file.read() == nil)
            for content in [[1, 2, 3], [], [UInt8](repeating: 9, count: 1 << 20)] {
                try file.write(content)
                #expect(try file.read() == content)
            }
            #expect(try folder.files == ["a.key"])
            #expect(try folder.permissions(of: "a.key") == 0o600)
        }
    }

    @Test("a line is added behind those that are there, also behind one that was cut off")
    func lines() throws {
        try TemporaryFolder.with { folder in
            let file = file(folder)
            try file.append(line: Array("one".utf8))
            try file.append(line: Array("two".utf8))
            #expect(try file.read() == Array("one\ntwo\n".utf8))
            try file.write(Array("one\ntw".utf8))
            try file.append(line: Array("three".utf8))
            #expect(try file.read() == Array("one\ntw\nthree\n".utf8))
            #expect(try folder.files == ["a.key"])
            #expect(try folder.permissions(of: "a.key") == 0o600)
        }
    }

    @Test("of lines that are added at the same time none is lost")
    func linesAtOnce() async throws {
        try await TemporaryFolder.with { folder in
            let file = file(folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 { group.addTask { try file.append(line: Array("line \(number)".utf8)) } }
                try await group.waitForAll()
            }
            let text = String(decoding: try #require(try file.read()), as: UTF8.self)
            #expect(Set(text.split(separator: "\n").map(String.init)) == Set((0..<40).map { "line \($0)" }))
        }
    }

    @Test("no line is added to a file that is open to others, or behind a link")
    func noLine() throws {
        try TemporaryFolder.with { folder in
            try file(folder).write([1])
            #expect(chmod(folder.path(of: "a.key"), 0o640) == 0)
            #expect(throws: DataFolderError.unusable("a.key", .open(0o640))) { try file(folder).append(line: [2]) }
            #expect(symlink(folder.path(of: "a.key"), folder.path(of: "b.key")) == 0)
            #expect(throws: DataFolderError.unusable("b.key", .symbolicLink)) {
                try file(folder, "b.key").append(line: [2])
            }
            #expect(try Data(contentsOf: URL(filePath: folder.path(of: "a.key"))) == Data([1]))
        }
    }

    @Test(
        "a file that is open to others is not read, with whichever bit",
        arguments: [0o640, 0o604, 0o620, 0o601] as [UInt32])
    func open(_ mode: UInt32) throws {
        try TemporaryFolder.with { folder in
            try file(folder).write([1])
            #expect(chmod(folder.path(of: "a.key"), mode) == 0)
            #expect(throws: DataFolderError.unusable("a.key", .open(mode))) { try file(folder).read() }
        }
    }

    @Test("a link, a second name, a folder and a file of megabytes are refused by name")
    func refused() throws {
        try TemporaryFolder.with { folder in
            try file(folder).write([1])
            let files = FileManager.default
            try files.createSymbolicLink(
                atPath: folder.path(of: "link"), withDestinationPath: folder.path(of: "a.key"))
            #expect(throws: DataFolderError.unusable("link", .symbolicLink)) { try file(folder, "link").read() }
            try files.createDirectory(atPath: folder.path(of: "folder"), withIntermediateDirectories: false)
            #expect(throws: DataFolderError.unusable("folder", .notAFile)) { try file(folder, "folder").read() }
            try file(folder, "large").write([UInt8](repeating: 0, count: 1 << 20 + 8192))
            #expect(throws: DataFolderError.unusable("large", .damaged)) { try file(folder, "large").read() }
            try files.linkItem(atPath: folder.path(of: "a.key"), toPath: folder.path(of: "second"))
            #expect(throws: DataFolderError.unusable("a.key", .hardLink)) { try file(folder).read() }
        }
    }

    @Test("a write that fails keeps the old content, and names the file without its folder, and the system's reason")
    func failedWrite() throws {
        try TemporaryFolder.with { folder in
            let error = DataFolderError.cannotWrite("a.key", because: "No such file or directory")
            #expect(throws: error) { try SecretFile(path: folder.path(of: "no/such/a.key")).write([1]) }
            #expect(error.description == "a.key in the data folder cannot be written: No such file or directory")
            #expect(!error.isTransient)
            // Nothing can be renamed over a folder.
            try FileManager.default.createDirectory(
                atPath: folder.path(of: "a.key"), withIntermediateDirectories: false)
            #expect(throws: DataFolderError.cannotWrite("a.key", because: "Is a directory")) {
                try file(folder).write([1])
            }
            #expect(try folder.files == ["a.key"], "the unfinished file is gone")
        }
    }
}

/// The lock that keeps a second process out.
@Suite struct FolderLockTests {
    private func process(_ text: String) throws -> Int32? {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: FolderFile.lock)
            return FolderLock.process(in: folder.path)
        }
    }

    @Test("the number of the process that has it can be read, by those who are kept out, too")
    func signed() throws {
        try TemporaryFolder.with { folder in
            let lock = try FolderLock(in: folder.path)
            #expect(FolderLock.process(in: folder.path) == nil)
            lock.sign()
            #expect(FolderLock.process(in: folder.path) == getpid())
            #expect(throws: DataFolderError.inUse(process: getpid())) { _ = try FolderLock(in: folder.path) }
            #expect(try folder.permissions(of: FolderFile.lock) == 0o600)
        }
    }

    @Test("who removes the lock's file lets no second process in, and none is made for it")
    func removed() throws {
        try TemporaryFolder.with { folder in
            let lock = try FolderLock(in: folder.path)
            lock.sign()
            try FileManager.default.removeItem(atPath: folder.path(of: FolderFile.lock))
            #expect(FolderLock.isHeld(in: folder.path))
            #expect(throws: DataFolderError.inUse(process: nil)) { _ = try FolderLock(in: folder.path) }
            #expect(try folder.files == [])
        }
        try TemporaryFolder.with { folder in #expect(!FolderLock.isHeld(in: folder.path)) }
    }

    @Test("only another process's lock means that the folder is in use; any other error has its own name")
    func refusals() {
        #expect(FolderLock.refusal(.wouldBlock, process: 7) == .inUse(process: 7))
        for reason in [Errno.noLocks, .ioError, .invalidArgument] {
            let error = FolderLock.refusal(reason, process: 7)
            #expect(error == .cannotLock(reason.description))
            #expect(!error.description.contains("in use"))
        }
        #expect(FolderLock.refusal(.noLocks, process: nil).description.contains("No locks available"))
    }

    @Test("a longer number of a former process leaves nothing behind the new one")
    func signedOver() throws {
        try TemporaryFolder.with { folder in
            try folder.write("4194304999\nmore", to: FolderFile.lock)
            let lock = try FolderLock(in: folder.path)
            lock.sign()
            #expect(try folder.text(of: FolderFile.lock) == "\(getpid())\nstarting\n")
        }
    }

    @Test("a number is read, and nothing else taken for one")
    func numbers() throws {
        #expect(try process("17\n") == 17)
        #expect(try process("17") == 17)
        for text in ["", "\n", "x\n", "17 \n", "99999999999\n", "0x11\n"] {
            #expect(try process(text) == nil, "\(text)")
        }
    }

    @Test("a lock that the process had before it was replaced is taken over, by what the environment names")
    func inherited() throws {
        try TemporaryFolder.with { folder in
            try folder.write("", to: FolderFile.lock)
            let descriptors = [open(folder.path, O_RDONLY), open(folder.path(of: FolderFile.lock), O_RDWR)]
            for descriptor in descriptors { #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0) }
            #expect(throws: DataFolderError.inUse(process: nil)) { _ = try FolderLock(in: folder.path) }
            let named = InheritedLock(folder: descriptors[0], file: descriptors[1]).handOver()
            let environment = [InheritedSockets.variable: "public=99:\(named)"]
            let inherited = try #require(InheritedLock(handedOver: environment[InheritedSockets.variable]))
            do {
                let lock = try FolderLock(in: folder.path, inheriting: inherited)
                lock.sign()
                #expect(FolderLock.isHeld(in: folder.path))
                #expect(descriptors.allSatisfy { fcntl($0, F_GETFD) == FD_CLOEXEC })
            }
            #expect(!FolderLock.isHeld(in: folder.path))
        }
    }

    @Test("the lock of another folder is not taken over but released")
    func inheritedOfAnother() throws {
        try TemporaryFolder.with { folder in
            try TemporaryFolder.with { other in
                try other.write("", to: FolderFile.lock)
                let descriptors = [open(other.path, O_RDONLY), open(other.path(of: FolderFile.lock), O_RDWR)]
                for descriptor in descriptors { #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0) }
                let inherited = InheritedLock(folder: descriptors[0], file: descriptors[1])
                let lock = try FolderLock(in: folder.path, inheriting: inherited)
                lock.sign()
                #expect(!FolderLock.isHeld(in: other.path))
            }
        }
        for text in ["", "lockedFolder=0:lockFile=1", "lockedFolder=x:lockFile=9999", "lockFile=7", "lockedFolder"] {
            #expect(InheritedLock(handedOver: text) == nil, "\(text)")
        }
    }

    @Test("no link is followed and no folder taken for the lock")
    func planted() throws {
        try TemporaryFolder.with { folder in
            let (lock, target) = (folder.path(of: FolderFile.lock), folder.path(of: "target"))
            try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: target)
            let link = DataFolderError.unusable("lock", .symbolicLink)
            #expect(throws: link) { _ = try FolderLock(in: folder.path) }
            #expect(try folder.files == ["lock"], "the target was not made")
            try FileManager.default.removeItem(atPath: lock)
            try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
            let notAFile = DataFolderError.unusable("lock", .notAFile)
            #expect(throws: notAFile) { _ = try FolderLock(in: folder.path) }
        }
    }
}
