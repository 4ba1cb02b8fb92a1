import Foundation
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import Service

@Suite struct OldBackupsTests {
    /// The days of the backups that stay, newest first.
    private func left(in folder: String, of id: FolderID) throws -> [Int] {
        try FinishedBackup.all(in: folder).filter { FolderManifest.seen(in: $0.path)?.folder == id }.map {
            Int((Timestamp.noon.millisecondsSince1970 - $0.startedAt.millisecondsSince1970) / 86_400_000)
        }
    }

    private func backUp(_ made: MadeFolder, in folder: String, days: [Int]) throws -> String {
        for day in days { try made.backUp(in: folder, startedAt: .noon.advanced(byDays: -day)) }
        return "\(folder)/\(NewestBackup.name(startedAt: .noon.advanced(byDays: -(days.min() ?? 0))))"
    }

    @Test("old backups of a data folder are removed, but not the newest, and none of another data folder")
    func others() throws {
        try MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            try MadeFolder.with { other in
                _ = try backUp(other, in: folder, days: [20, 30, 400])
                let newest = try backUp(made, in: folder, days: [0, 1, 14, 15, 16, 40])
                let removed = try OldBackups(beside: newest).remove(olderThan: 14, butNewest: 2, now: .noon)
                #expect(removed.count == 3)
                #expect(try left(in: folder, of: made.id) == [0, 1, 14])
                #expect(try left(in: folder, of: other.id) == [20, 30, 400])
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 6)
            }
        }
    }

    @Test("the newest stay however old they look, as after a step of the clock", arguments: [1, 7, 9])
    func newest(_ count: Int) throws {
        try MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            let newest = try backUp(made, in: folder, days: Array(100..<(100 + count)))
            _ = try OldBackups(beside: newest).remove(olderThan: 14, butNewest: 7, now: .noon)
            #expect(try left(in: folder, of: made.id) == Array((100..<(100 + count)).prefix(7)))
        }
    }

    @Test("what has no manifest, or is a symbolic link, stays, and so does everything if the backup is not to be seen")
    func strange() throws {
        try MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            let newest = try backUp(made, in: folder, days: [0])
            let names = [50, 60].map { NewestBackup.name(startedAt: .noon.advanced(byDays: -$0)) }
            try FileManager.default.createDirectory(atPath: "\(folder)/\(names[0])", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(names[1])", withDestinationPath: made.path)
            let old = try OldBackups(beside: newest)
            #expect(try old.remove(olderThan: 14, butNewest: 1, now: .noon).isEmpty)
            #expect(throws: OldBackups.Failure.self) { try OldBackups(beside: "\(folder)/elsewhere") }
            #expect(made.has(FolderFile.manifest))
        }
    }

    @Test("a removed backup has no backup's name from before its files are removed, also if the power fails")
    func durable() throws {
        try MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            _ = try backUp(made, in: folder, days: [1])
            let backup = try #require(try FinishedBackup.all(in: folder).first)
            let renamed = ".unfinished-\(made.id)-\(backup.name)"
            var seen: [[String]] = []
            try UnfinishedBackup.remove(backup, of: made.id, in: folder) { _ throws(UnwritableBackup) in
                seen.append((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            }
            #expect(seen == [[renamed], []])
        }
    }

    @Test("a backup whose new name cannot be made durable keeps its files, which the service removes later")
    func unsynced() throws {
        try MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            _ = try backUp(made, in: folder, days: [1])
            let backup = try #require(try FinishedBackup.all(in: folder).first)
            #expect(throws: UnwritableBackup.self) {
                try UnfinishedBackup.remove(backup, of: made.id, in: folder) { synced throws(UnwritableBackup) in
                    throw UnwritableBackup(synced, code: EIO)
                }
            }
            #expect(FolderManifest.seen(in: "\(folder)/.unfinished-\(made.id)-\(backup.name)")?.folder == made.id)
            #expect(try FinishedBackup.all(in: folder).isEmpty)
            try UnfinishedBackup.removeAbandoned(by: [made.id], now: .noon, in: folder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }
}
