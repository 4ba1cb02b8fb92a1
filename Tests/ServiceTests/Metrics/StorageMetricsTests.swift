import Foundation
import Identifiers
import Testing

@testable import Service

@Suite struct NewestBackupTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "backups-\(UUID())").path

    private func make(_ names: [String]) throws {
        for name in names {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
    }

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

    @Test("the newest counts, whatever else lies in the folder")
    func newest() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try make(["2026-11-20T01-00-00.000Z", "2026-11-21T01-00-00.000Z", ".unfinished-2026-11-22T01-00-00.000Z", "x"])
        #expect(try NewestBackup.startedAt(in: folder) == Timestamp(rfc3339: "2026-11-21T01:00:00.000Z"))
    }

    @Test("without the folder there is no backup")
    func none() { #expect(NewestBackup.startedAt(in: folder) == nil) }
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
