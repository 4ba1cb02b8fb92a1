import Foundation
import Glibc
import LocalFiles
import SystemPackage
import TestSupport
import Testing

@testable import Relay

/// The folder of a relay, which one process at a time has.
@Suite struct RelayFolderTests {
    @Test("a folder that a relay has is in use for every other, and keeps its identity for the next")
    func inUse() throws {
        try TemporaryFolder.with { folder in
            let identity = try {
                let first = try RelayFolder(at: folder.path)
                #expect(throws: RelayError.inUse) { _ = try RelayFolder(at: folder.path) }
                return first.identity
            }()
            let next = try RelayFolder(at: folder.path)
            #expect(next.identity == identity)
        }
    }

    @Test("only another process's lock means that the folder is in use; any other error has its own name")
    func refusals() {
        #expect(RelayFolder.refusal(.inUse) == .inUse)
        for reason in [Errno.noLocks, .ioError, .invalidArgument] {
            let error = RelayFolder.refusal(.cannotLock(reason))
            #expect(error == .cannotLock(reason.description))
            #expect(!error.description.contains("in use"))
        }
        #expect(RelayFolder.refusal(.cannotLock(.noLocks)).description.contains("No locks available"))
    }

    @Test("an identity is whole at any moment: no file is changed in place", arguments: [nil, "", "cut"])
    func whole(_ left: String?) throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "relay.id")
            if let left { try folder.write(left, to: "relay.id") }
            // What a process that was killed while it wrote the file leaves.
            try folder.write("half", to: "relay.id.new")
            let before = open(path, O_RDONLY)
            defer { close(before) }
            let identity = try RelayFolder(at: folder.path).identity
            #expect(identity.utf8.count == 24)
            #expect(try folder.text(of: "relay.id") == "\(identity)\n")
            if let left { #expect(try FileContent.read(before) == Array(left.utf8)) }
            #expect(try folder.files == ["lock", "relay.id"])
            #expect(try folder.permissions(of: "relay.id") == 0o600)
        }
    }

    @Test("a folder that cannot be used says why")
    func reasons() throws {
        try TemporaryFolder.with { folder in
            func reason(_ path: String) -> String? {
                #expect(throws: RelayError.self) { _ = try RelayFolder(at: path) }?.description
            }
            #expect(
                reason(folder.path(of: "no/such"))
                    == "the relay's folder: it cannot be made: No such file or directory")
            let file = try folder.write("x", to: "file")
            #expect(
                reason(file) == "the relay's folder: its lock cannot be opened: Not a directory")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "relay.id"), withDestinationPath: folder.path(of: "target"))
            #expect(
                reason(folder.path)
                    == "the relay's folder: relay.id cannot be read: Too many levels of symbolic links")
            #expect(!folder.contains("target"))
        }
    }
}
