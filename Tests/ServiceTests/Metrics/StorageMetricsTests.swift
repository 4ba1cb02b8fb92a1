import Foundation
import Identifiers
import TestSupport
import Testing

@testable import Service

@Suite struct NewestBackupTests {
    @Test("the name of a backup says when it was begun, and nothing else reads as one")
    func names() throws {
        let instant = try Timestamp(rfc3339: "2026-11-21T15:25:43.687Z")
        #expect(NewestBackup.name(startedAt: instant) == "2026-11-21T15-25-43.687Z")
        #expect(NewestBackup.startedAt(name: "2026-11-21T15-25-43.687Z") == instant)
    }

    @Test(
        "what is no finished backup does not count",
        arguments: [
            ".unfinished-2026-11-21T15-25-43.687Z", "2026-11-21T15:25:43.687Z", "2026-11-21T15-25-43Z", "2026-11-21",
            "2026-13-21T15-25-43.687Z", "T", "", "lost+found", "2026-11-21T15-25-43.687Z.tar",
        ])
    func otherNames(_ name: String) { #expect(NewestBackup.startedAt(name: name) == nil) }

    private func newest(_ made: MadeFolder, of folder: FolderID?, now: Timestamp = .noon) throws -> Timestamp? {
        try NewestBackup.startedAt(in: made.beside.path(of: "b"), of: folder, now: now)
    }

    @Test("the newest counts, whatever else lies in the folder")
    func newest() throws {
        try MadeFolder.with { made in
            let backups = made.beside.path(of: "b")
            for age: Int64 in [2000, 1000] { try made.backUp(in: backups, startedAt: .noon + -age) }
            for name in [".unfinished-2026-11-22T01-00-00.000Z", "x", NewestBackup.name(startedAt: .noon)] {
                try FileManager.default.createDirectory(
                    atPath: "\(backups)/\(name)", withIntermediateDirectories: true)
            }
            #expect(try newest(made, of: made.id) == .noon + -1000)
        }
    }

    @Test("a backup of another data folder does not count")
    func foreign() throws {
        try MadeFolder.with { other in
            try MadeFolder.with { made in
                let backups = made.beside.path(of: "b")
                try made.backUp(in: backups, startedAt: .noon + -2000)
                try other.backUp(in: backups, startedAt: .noon + -1000)
                #expect(try newest(made, of: made.id) == .noon + -2000)
                #expect(try newest(made, of: other.id) == .noon + -1000)
                #expect(try newest(made, of: nil) == .noon + -1000)
            }
        }
    }

    @Test("a backup that lacks a file, or has an empty one, does not count")
    func incomplete() throws {
        try MadeFolder.with { made in
            let backups = made.beside.path(of: "b")
            try made.backUp(in: backups, startedAt: .noon + -2000)
            for file in FolderManifest.files + [FolderFile.manifest] {
                let path = "\(backups)/\(NewestBackup.name(startedAt: .noon + -1000))/\(file)"
                try made.backUp(in: backups, startedAt: .noon + -1000)
                #expect(try newest(made, of: made.id) == .noon + -1000)
                try Data().write(to: URL(filePath: path))
                #expect(try newest(made, of: made.id) == .noon + -2000, "\(file) is empty")
                try FileManager.default.removeItem(atPath: path)
                #expect(try newest(made, of: made.id) == .noon + -2000, "\(file) is missing")
                try FileManager.default.removeItem(
                    atPath: "\(backups)/\(NewestBackup.name(startedAt: .noon + -1000))")
            }
        }
    }

    @Test("a backup of a time that is to come does not count, but for what clocks may differ by")
    func future() throws {
        try MadeFolder.with { made in
            let backups = made.beside.path(of: "b")
            try made.backUp(in: backups, startedAt: .noon + -1000)
            try made.backUp(in: backups, startedAt: .noon)
            #expect(try newest(made, of: made.id, now: .noon + -5001) == .noon + -1000)
            #expect(try newest(made, of: made.id, now: .noon + -5000) == .noon)
        }
    }

    @Test("without the folder there is no backup")
    func none() throws { #expect(try NewestBackup.startedAt(in: "/not/there", of: nil, now: .noon) == nil) }

    @Test("of a folder that is there and cannot be listed nobody says that it has no backup")
    func unreadable() throws {
        try TemporaryFolder.with { folder in
            let link = folder.path(of: "volume")
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: folder.path(of: "not-mounted"))
            for path in try [link, folder.write("text", to: "file")] {
                #expect(throws: UnreadableBackups.self) { try FinishedBackup.all(in: path) }
                #expect(throws: UnreadableBackups.self) { try KeptBackups.all(in: path, of: Self.anyFolder) }
                #expect(throws: UnreadableBackups.self) { try UnfinishedBackup.old(in: path, now: .noon) }
                let error = #expect(throws: UnreadableBackups.self) {
                    try NewestBackup.startedAt(in: path, of: nil, now: .noon)
                }
                #expect(error?.description.hasPrefix("the folder for backups \(path) cannot be read: ") == true)
            }
        }
    }

    private static var anyFolder: FolderID {
        var generator = SystemRandomNumberGenerator()
        return FolderID(using: &generator)
    }
}

@Suite struct DiskSpaceTests {
    @Test(
        "a folder that is not there yet has the room of the one it will be made in",
        arguments: ["/tmp/not/there/yet", "not-there", "./not-there", "/not-there"])
    func missing(_ path: String) throws {
        let space = try #require(DiskSpace(ofFolder: path))
        let above = try #require(DiskSpace(ofFolder: path.hasPrefix("/tmp") ? "/tmp" : path.hasPrefix("/") ? "/" : "."))
        #expect(space.total == above.total)
    }

    @Test("no more is free than there is")
    func bounds() throws {
        let space = try #require(DiskSpace(ofFolder: "/"))
        #expect(space.free <= space.total && space.total > 0)
    }

    @Test("what is no folder has no room")
    func file() { #expect(DiskSpace(ofFolder: "/etc/passwd/below") == nil) }
}
