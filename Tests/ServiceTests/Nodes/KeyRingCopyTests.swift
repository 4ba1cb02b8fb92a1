import Cryptography
import Foundation
import Identifiers
import LocalFiles
import Logging
import TestSupport
import Testing
import TrackingIDs

@testable import Service

/// A data folder whose copy of the ring cannot be written for a while.
@Suite struct KeyRingCopyTests {
    private let log = CapturedLog()

    private func with(
        _ body: (KeyRingFile, CurrentKeyRing, KeyRingCopy, KeyRing) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            var generator = SeededGenerator(seed: 1)
            let file = KeyRingFile(in: folder.path, folder: FolderID(using: &generator))
            let first = KeyRing(at: .noon, using: &generator)
            try file.write(first)
            let current = CurrentKeyRing(first)
            let copy = KeyRingCopy(file, of: current, logger: log.logger)
            let later = try first.rotated(at: .noon + 1, using: &generator)
            try body(file, current, copy, later)
        }
    }

    private func keys(_ path: String) throws -> [UInt8] {
        let bytes = try #require(try SecretFile(path: path).read())
        return try KeyRingFile.Content(bytes).ring.keys.map(\.id)
    }

    @Test("a failure is logged once, and what could not be written is written later")
    func later() throws {
        try with { file, current, copy, later in
            let obstacle = AtomicFile.unfinished(file.file.path)
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            current.replace(with: later)
            for _ in 0..<3 { copy.write() }
            #expect(log.levels == [.error])
            #expect(log.lines.first?.metadata["error"]?.contains("keyring.json.new") == true)
            #expect(try keys(file.file.path) == [1])
            try FileManager.default.removeItem(atPath: obstacle)
            copy.retry()
            #expect(try keys(file.file.path) == [1], "not before a pause is over")
            copy.write()
            #expect(try keys(file.file.path) == [1, 2])
            #expect(log.levels == [.error, .notice])
        }
    }

    @Test("a ring is not replaced before one with keys that it drops is kept")
    func kept() throws {
        try with { file, current, copy, later in
            let kept = file.file.path + ".lost"
            let obstacle = AtomicFile.unfinished(kept)
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            let first = current.value
            current.replace(with: try later.retiring(1))
            copy.write(keeping: [first])
            #expect(try keys(file.file.path) == [1])
            try FileManager.default.removeItem(atPath: obstacle)
            copy.write()
            #expect(try keys(file.file.path) == [2] && keys(kept) == [1])
        }
    }
}
