import Glibc
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
        #expect(RelayFolder.refusal(0) == nil)
        #expect(RelayFolder.refusal(EWOULDBLOCK) == .inUse)
        for code in [ENOLCK, EIO, EINVAL] {
            let error = RelayFolder.refusal(code)
            #expect(error == .cannotLock(String(cString: strerror(code))))
            #expect(error?.description.contains("in use") == false)
        }
        #expect(RelayFolder.refusal(ENOLCK)?.description.contains("No locks available") == true)
    }
}
