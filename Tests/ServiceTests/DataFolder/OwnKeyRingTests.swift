import Identifiers
import Logging
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import Service

/// A ring in a file whose writes fail before or after the file has the new content.
@Suite struct OwnKeyRingTests {
    private let log = CapturedLog()

    /// What the next writes do; the ones after them succeed.
    private enum Fault {
        case before
        case after
    }

    private func with(
        _ faults: [Fault], _ body: (OwnKeyRing, KeyRing, KeyRing, () throws -> [UInt8]) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            var generator = SeededGenerator(seed: 1)
            let file = KeyRingFile(in: folder.path, folder: FolderID(using: &generator))
            let first = KeyRing(at: .noon, using: &generator)
            try file.write(first)
            let next = Mutex(faults)
            let ring = OwnKeyRing(
                file, logger: log.logger,
                replace: { content in
                    let fault = next.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    if fault != .before { try file.write(content) }
                    if fault != nil { throw Errno.ioError }
                })
            try body(ring, first, try first.rotated(at: .noon + 1, using: &generator)) {
                let bytes = try #require(try file.file.read())
                return try KeyRingFile.Content(bytes).ring.keys.map(\.id)
            }
        }
    }

    @Test("a write that fails before or after the file has the new ring leaves the old one", arguments: [true, false])
    func takenBack(_ isAfter: Bool) throws {
        try with([isAfter ? .after : .before]) { ring, first, later, stored in
            #expect(throws: Errno.ioError) { try ring.write(later, replacing: first) }
            #expect(try stored() == [1])
            #expect(ring.reasonNotReady == nil)
            #expect(log.levels == (isAfter ? [.warning] : []))
            try ring.write(later, replacing: first)
            #expect(try stored() == [1, 2])
        }
    }

    @Test("where the old ring cannot be put back, the service is not ready until the file has it again")
    func notTakenBack() throws {
        try with([.after, .before, .before]) { ring, first, later, stored in
            #expect(throws: Errno.ioError) { try ring.write(later, replacing: first) }
            #expect(try stored() == [1, 2])
            let reason = try #require(ring.reasonNotReady)
            #expect(reason.description.hasPrefix("keyring.json may have other signing keys than the service uses"))
            #expect(throws: Errno.ioError) { try ring.write(later, replacing: first) }
            #expect(ring.reasonNotReady != nil)
            try ring.write(later, replacing: first)
            #expect(ring.reasonNotReady == nil)
            #expect(try stored() == [1, 2])
            #expect(log.levels == [.critical, .notice])
        }
    }
}
