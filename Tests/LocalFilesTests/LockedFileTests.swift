import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import LocalFiles

@Suite struct LockedFileTests {
    @Test("a file is locked once, until its lock ends")
    func locked() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "lock")
            let first = try LockedFile(path)
            #expect(throws: LockedFile.Failure.inUse) { _ = try LockedFile(path) }
            withExtendedLifetime(first) {}
            #expect(try folder.permissions(of: "lock") == 0o600)
        }
    }

    @Test("a lock that has ended leaves its file, which excludes nobody")
    func again() throws {
        try TemporaryFolder.with { folder in
            for _ in 1...3 { _ = try LockedFile(folder.path(of: "lock")) }
            #expect(try folder.files == ["lock"])
        }
    }

    @Test("only another process's lock means that the file is in use; any other error is told")
    func refusals() {
        #expect(LockedFile.Failure(locking: .wouldBlock) == .inUse)
        for reason in [Errno.noLocks, .ioError, .invalidArgument] {
            #expect(LockedFile.Failure(locking: reason) == .cannotLock(reason))
        }
    }

    @Test("no link is followed, and no folder is taken for a file")
    func unopened() throws {
        try TemporaryFolder.with { folder in
            let link = folder.path(of: "link")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path(of: "target"))
            #expect(throws: LockedFile.Failure.cannotOpen(.tooManySymbolicLinkLevels)) { _ = try LockedFile(link) }
            #expect(throws: LockedFile.Failure.cannotOpen(.isDirectory)) { _ = try LockedFile(folder.path) }
            #expect(throws: LockedFile.Failure.cannotOpen(.noSuchFileOrDirectory)) {
                _ = try LockedFile(folder.path(of: "no/such"))
            }
            #expect(try folder.files == ["link"])
        }
    }
}
