import Foundation
import Glibc
import Identifiers
import Synchronization
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import Service

/// A process finds out that its data folder is not the one any more that it has open.
@Suite struct FolderWatchTests {
    private static let names = ["consentlink.db", "spool.db"]

    private final class Losses: Sendable {
        let all = Mutex<[FolderLoss]>([])
    }

    private let losses = Losses()

    private func watch(_ made: MadeFolder, _ folder: borrowing DataFolder) -> FolderWatch {
        let files = folder.lockedFiles() + Self.names.compactMap { FolderWatch.File($0, in: made.path) }
        return FolderWatch(files) { [losses] loss in losses.all.withLock { $0.append(loss) } }
    }

    private func withWatch(_ body: (MadeFolder, FolderWatch) throws -> Void) throws {
        try MadeFolder.with { made in
            let folder = try DataFolder(at: made.path, now: .noon)
            try body(made, watch(made, folder))
            #expect(folder.id == made.id)
        }
    }

    @Test("a file that is removed is found, named and told of once", arguments: names + ["lock"])
    func removed(_ name: String) throws {
        try withWatch { made, watch in
            #expect(watch.check() == nil && watch.loss == nil)
            try made.remove(name)
            let loss = FolderLoss(file: name, isReplaced: false)
            #expect(watch.check() == loss && watch.check() == loss && watch.loss == loss)
            #expect(loss.description == "\(name), which the service has open, is not in its place any more")
            #expect(throws: loss) { try watch.require() }
            #expect(losses.all.withLock { $0 } == [loss])
        }
    }

    @Test("a copy in the place of a file is another file, whatever is in it", arguments: names + ["lock"])
    func replaced(_ name: String) throws {
        try withWatch { made, watch in
            let files = FileManager.default
            try files.copyItem(atPath: made.path(of: name), toPath: made.path(of: "copy"))
            #expect(rename(made.path(of: "copy"), made.path(of: name)) == 0)
            #expect(watch.check() == FolderLoss(file: name, isReplaced: true))
        }
    }

    @Test("a folder that was moved away is found, also when a copy of it took its place", arguments: [true, false])
    func folder(_ isReplaced: Bool) throws {
        try withWatch { made, watch in
            let aside = made.path + "-aside"
            #expect(rename(made.path, aside) == 0)
            if isReplaced { try FileManager.default.copyItem(atPath: aside, toPath: made.path) }
            #expect(watch.check() == FolderLoss(file: FolderFinding.folder, isReplaced: isReplaced))
        }
    }

    @Test("what was lost is not found again: something may have been written meanwhile")
    func restored() throws {
        try withWatch { made, watch in
            let (path, aside) = (made.path(of: "spool.db"), made.path + "-aside")
            #expect(rename(path, aside) == 0)
            #expect(watch.check() != nil)
            #expect(rename(aside, path) == 0)
            #expect(watch.check() != nil)
        }
    }

    @Test("a file that is written and made longer stays the same, and so does a folder that is reached by a link")
    func same() throws {
        try MadeFolder.with { made in
            let link = made.beside.path(of: "link")
            #expect(symlink(made.path, link) == 0)
            let folder = try DataFolder(at: link, now: .noon)
            let watch = FolderWatch(folder.lockedFiles()) { _ in }
            try made.write([1, 2, 3], to: "spool.db")
            #expect(watch.check() == nil)
            #expect(folder.id == made.id)
        }
    }

    @Test("no checkpoint and no key is written into a folder that took the place of the service's own")
    func written() async throws {
        try await MadeFolder.with { made in
            let folder = try DataFolder(at: made.path, now: .noon)
            let watch = watch(made, folder)
            var checkpoints = try folder.checkpointFiles()
            checkpoints.watch = watch
            let organization = try OrganizationID("acme")
            try await checkpoints.write([1], of: organization)
            let (ring, file) = try folder.keyRing()
            let keyRing = WatchedKeyRing(ring: OwnKeyRing(file, logger: CapturedLog().logger), watch: watch)
            try await keyRing.write(ring, replacing: ring)
            let aside = made.path + "-aside"
            #expect(rename(made.path, aside) == 0)
            try FileManager.default.copyItem(atPath: aside, toPath: made.path)
            let failure = await #expect(throws: CheckpointArchiveFailure.self) {
                try await checkpoints.write([2], of: organization)
            }
            #expect(failure?.isTransient == false)
            #expect(try made.bytes(of: "checkpoints/acme.txt") == [1])
            await #expect(throws: FolderLoss.self) { try await keyRing.write(ring, replacing: ring) }
            #expect(folder.id == made.id)
        }
    }
}
