import Foundation
import Glibc
import Identifiers
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Service

/// The names of backups, which say when they were begun.
extension FolderBackupsTests {
    @Test(
        "each backup has its own name, which sorts behind the older ones, also when the clock was set back a little",
        arguments: [0, -1, -3000, -5000] as [Int64])
    func order(_ step: Int64) async throws {
        try await MadeFolder.with { made in
            let clock = Mutex(Timestamp.noon)
            let maker = try backups(made, at: { clock.withLock { $0 } })
            _ = try await maker.make()
            clock.withLock { $0 = .noon + step }
            let second = try await maker.make()
            #expect(second.startedAt == .noon + 1 && second.finishedAt >= second.startedAt)
            #expect(try left(made) == [Self.name, NewestBackup.name(startedAt: .noon + 1)])
        }
    }

    @Test(
        "a backup counts at once although another one has a date in the future",
        arguments: [5001, 604_800_000] as [Int64])
    func future(_ lead: Int64) async throws {
        try await MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            try made.backUp(in: folder, startedAt: .noon + lead)
            let backup = try await backups(made).make()
            #expect(backup.startedAt == .noon)
            #expect(try NewestBackup.startedAt(in: folder, of: made.id, now: .noon) == .noon)
        }
    }

    @Test("a backup whose name cannot be made durable has no such name afterwards")
    func unsynced() throws {
        try TemporaryFolder.with { folder in
            var generator = SystemRandomNumberGenerator()
            let path = folder.path(of: "backups")
            let unfinished = try UnfinishedBackup(
                startedAt: .noon, owner: FolderID(using: &generator), of: FolderID(using: &generator), in: path)
            let failure = #expect(throws: UnwritableBackup.self) {
                try unfinished.finish { synced throws(UnwritableBackup) in
                    if synced == path { throw UnwritableBackup(synced, code: EIO) }
                }
            }
            #expect(failure?.isLeft == false)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
        }
    }

    @Test("a node removes what a removal of an old backup left that was broken off, which has the data folder's id")
    func brokenOff() async throws {
        try await MadeFolder.with { made in
            var generator = SystemRandomNumberGenerator()
            let (own, other) = (FolderID(using: &generator), FolderID(using: &generator))
            let name = NewestBackup.name(startedAt: .noon + -1)
            for owner in [own, other, made.id] {
                try FileManager.default.createDirectory(
                    atPath: made.beside.path(of: "backups/\(unfinished(owner, name))"),
                    withIntermediateDirectories: true)
            }
            _ = try await backups(made, own: own).make()
            #expect(try left(made) == [unfinished(other, name), Self.name])
        }
    }
}
