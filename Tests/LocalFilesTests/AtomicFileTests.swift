import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import LocalFiles

@Suite struct AtomicFileTests {
    @Test("a file is replaced by another one whole, is its owner's alone, and nothing is left beside it")
    func replaced() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "a")
            try AtomicFile.write([1, 2, 3], to: path)
            let old = try #require(FileStatus(path))
            // Keeps the inode in use.
            let descriptor = open(path, O_RDONLY)
            defer { close(descriptor) }
            try AtomicFile.write([4], to: path)
            let new = try #require(FileStatus(path))
            #expect(!new.isSameFile(as: old), "the old one is never changed in place")
            #expect(try FileContent.read(descriptor) == [1, 2, 3])
            #expect(try FileContent.read(path) == [4])
            #expect(try folder.files == ["a"])
            #expect(try folder.permissions(of: "a") == 0o600)
        }
    }

    @Test("an unfinished file is replaced, a link in its place is not followed")
    func unfinished() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "a")
            try folder.write("half", to: "a.new")
            try AtomicFile.write([1], to: path)
            #expect(try FileContent.read(path) == [1])
            try folder.write("precious", to: "other")
            try FileManager.default.createSymbolicLink(
                atPath: AtomicFile.unfinished(path), withDestinationPath: folder.path(of: "other"))
            try AtomicFile.write([2], to: path)
            #expect(try folder.text(of: "other") == "precious")
            #expect(try folder.files == ["a", "other"])
        }
    }

    @Test("what may not be replaced stays, and the old content too")
    func refused() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "a")
            try AtomicFile.write([1], to: path)
            try folder.write("of another program", to: "a.new")
            #expect(throws: Errno.fileExists) { try AtomicFile.write([2], to: path, mayReplace: { _ in false }) }
            #expect(try folder.text(of: "a.new") == "of another program")
            #expect(try FileContent.read(path) == [1])
        }
    }

    @Test("a write that fails says why, and leaves nothing beside the file")
    func failed() throws {
        try TemporaryFolder.with { folder in
            #expect(throws: Errno.noSuchFileOrDirectory) {
                try AtomicFile.write([1], to: folder.path(of: "no/such/a"))
            }
            // Nothing can be renamed over a folder.
            let path = folder.path(of: "a")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: Errno.isDirectory) { try AtomicFile.write([1], to: path) }
            #expect(try folder.files == ["a"])
        }
    }

    @Test(
        "the folder of a path is found, also at the root and for a name alone",
        arguments: [("a", "."), ("/a", "/"), ("b/a", "b/"), ("/b/c/a", "/b/c/")])
    func folder(_ path: String, _ expected: String) {
        #expect(FolderSync.folder(of: path) == expected)
    }

    @Test("a folder is synced, and what is none says why not")
    func synced() throws {
        try TemporaryFolder.with { folder in
            try FolderSync.run(folder.path)
            let file = try folder.write("x", to: "file")
            #expect(throws: Errno.notDirectory) { try FolderSync.run(file) }
            #expect(throws: Errno.noSuchFileOrDirectory) { try FolderSync.run(folder.path(of: "nowhere")) }
        }
    }
}
