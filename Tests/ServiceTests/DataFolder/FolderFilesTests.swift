import Cryptography
import Glibc
import Identifiers
import SystemPackage
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import Service

/// The manifest: read back as it was written, and nothing else taken for one.
@Suite struct FolderManifestTests {
    private static let id = "0123456789abcdef0123456789abcdef"

    private func manifest() throws -> FolderManifest {
        FolderManifest(folder: try #require(FolderID(Self.id)), madeAt: .noon, isComplete: true)
    }

    @Test("what is written is read, with and without what keys are recognised by")
    func roundTrip() throws {
        var manifest = try manifest()
        #expect(try FolderManifest(manifest.bytes) == manifest)
        #expect(!String(decoding: manifest.bytes, as: UTF8.self).contains("fingerprints"))
        manifest.isComplete = false
        manifest.fingerprints.operatorKey = "aa"
        #expect(try FolderManifest(manifest.bytes) == manifest)
        manifest.fingerprints.ledgerKey = "bb"
        #expect(try FolderManifest(manifest.bytes) == manifest)
    }

    @Test("one that was cut anywhere is damaged, and not one of an unfinished folder")
    func cut() throws {
        let bytes = try manifest().bytes
        // Without the line feed it is whole.
        for length in 0..<(bytes.count - 1) {
            #expect(throws: FolderFinding.Fault.damaged) { try FolderManifest(Array(bytes.prefix(length))) }
        }
    }

    @Test(
        "each member is needed, of its type and in its bounds",
        arguments: [
            (#""format":1"#, #""format":0"#), (#""format":1"#, #""format":"1""#), (#""format":1"#, #""format":1.5"#),
            (#""folder":"0"#, #""folder":"G"#), (#""folder":"0"#, #""folder":""#),
            (#""complete":true"#, #""complete":1"#),
            (#""complete":true"#, #""completed":true"#), (#""files":["#, #""files":[1,"#),
            ("2026-11-22T12", "2026-13-22T12"), (#""madeAt""#, #""made""#),
        ])
    func members(_ part: String, _ replacement: String) throws {
        let text = String(decoding: try manifest().bytes, as: UTF8.self)
        let changed = text.replacing(part, with: replacement, maxReplacements: 1)
        #expect(changed != text)
        #expect(throws: FolderFinding.Fault.damaged) { try FolderManifest(Array(changed.utf8)) }
    }

    @Test("members that a later version added are passed over, while the format is the same")
    func laterMembers() throws {
        let text = String(decoding: try manifest().bytes, as: UTF8.self)
        let later = text.replacing("{\"format\":1", with: "{\"color\":{\"a\":[1]},\"format\":1")
        #expect(try FolderManifest(Array(later.utf8)) == manifest())
    }
}

/// The key ring: without it no link that was sent opens, and with a wrong one none does either.
@Suite struct KeyRingFileTests {
    private static let secret = Base64URL.encode([UInt8](repeating: 1, count: 32))

    private func key(_ id: String = "1", secret: String = secret, until: String? = nil) -> String {
        let end = until.map { ",\"signedUntil\":\"\($0)\"" } ?? ""
        return #"{"id":\#(id),"secret":"\#(secret)","createdAt":"2026-11-22T12:00:00.000Z"\#(end)}"#
    }

    private func content(_ keys: [String], folder: String = "") throws -> KeyRingFile.Content {
        try KeyRingFile.Content(Array("{\(folder)\"keys\":[\(keys.joined(separator: ","))]}".utf8))
    }

    @Test("a ring is read, one of the first version names no folder")
    func read() throws {
        let ended = key("7", until: "2026-11-22T12:30:00.000Z")
        let read = try content([ended, key("255")])
        #expect(read.folder == nil)
        #expect(read.ring.keys.map(\.id) == [7, 255])
        #expect(read.ring.signingKey.id == 255)
        let id = "0123456789abcdef0123456789abcdef"
        #expect(try content([key()], folder: "\"folder\":\"\(id)\",").folder?.description == id)
    }

    @Test("a ring that cannot be what the service wrote is damaged")
    func damaged() throws {
        let ended = "2026-11-22T12:30:00.000Z"
        let rings = [
            [], [key("256")], [key("-1")], [key("\"1\"")], [key(secret: "")],
            [key(secret: String(Self.secret.dropLast()))],
            [key(secret: Self.secret + "AA")], [key(secret: String(Self.secret.dropLast()) + "=")],
            [key(), key()], [key("1"), key("2")], [key("1", until: ended)], [key("1", until: "yesterday")],
            [key().replacing("\"secret\"", with: "\"secrets\"")], [key().dropLast() + ",\"more\":1}"],
            (0...256).map { key("\($0 % 256)", until: $0 == 0 ? nil : ended) },
        ]
        for keys in rings {
            #expect(throws: FolderFinding.Fault.damaged, "\(keys.joined().prefix(200))") { try content(keys) }
        }
        #expect(throws: FolderFinding.Fault.damaged) { try content([key()], folder: "\"folder\":\"\",") }
        for text in ["", "{}", "[]", "null", "\u{0}"] {
            #expect(throws: FolderFinding.Fault.damaged) { try KeyRingFile.Content(Array(text.utf8)) }
        }
    }

    @Test("a file that was cut anywhere is damaged")
    func cut() throws {
        try MadeFolder.with { made in
            let bytes = try made.bytes(of: FolderFile.keyRing)
            for length in 0..<(bytes.count - 1) {
                #expect(throws: FolderFinding.Fault.damaged) { try KeyRingFile.Content(Array(bytes.prefix(length))) }
            }
        }
    }
}

/// The checkpoints of the ledgers, kept apart from the databases that they vouch for.
@Suite struct CheckpointFilesTests {
    private func withFiles(_ body: (CheckpointFiles, MadeFolder) async throws -> Void) async throws {
        try await MadeFolder.with { made in
            let files = try DataFolder(at: made.path, now: .noon).checkpointFiles()
            try await body(files, made)
        }
    }

    @Test("each organization has a file of its own, also one that is called like the file of another")
    func files() async throws {
        try await withFiles { files, made in
            let names = ["acme", "acme.txt", "acme.txt.new", "ACME"]
            for name in names { try await files.write(Array(name.utf8), of: try OrganizationID(name)) }
            for name in names {
                let note = try await files.read(of: try OrganizationID(name))
                #expect(note == Array(name.utf8))
            }
            #expect(try files.names() == names.sorted())
            #expect(try await files.read(of: try OrganizationID("other")) == nil)
            #expect(try made.open() == [], "none is taken for an unfinished file")
        }
    }

    @Test("a checkpoint that others could have written is not read, and that is no want of room")
    func open() async throws {
        try await withFiles { files, made in
            let acme = try OrganizationID("acme")
            try made.write([1], to: "checkpoints/acme.txt")
            try FolderInspectionTests.Change.open.make(of: "checkpoints/acme.txt", in: made, other: made)
            let failure = await #expect(throws: CheckpointArchiveFailure.self) { try await files.read(of: acme) }
            #expect(failure?.isTransient == false)
            #expect(failure?.description == "acme.txt is open to other users (mode 0640)")
        }
    }

    @Test("without their folder nothing is read and nothing written, and that is told")
    func noFolder() async throws {
        try await withFiles { files, made in
            try made.remove("checkpoints")
            let acme = try OrganizationID("acme")
            #expect(try await files.read(of: acme) == nil)
            #expect(throws: DataFolderError.unusable("checkpoints", .missing)) { try files.names() }
            await #expect(throws: CheckpointArchiveFailure.self) { try await files.write([1], of: acme) }
        }
    }

    @Test("a folder that cannot be reached is not said to be missing")
    func unreachableFolder() async throws {
        try await withFiles { files, made in
            try made.remove("checkpoints")
            #expect(symlink(files.folder, files.folder) == 0)
            let error = DataFolderError.reading("checkpoints", failedWith: .tooManySymbolicLinkLevels)
            #expect(throws: error) { try files.copy(into: made.beside.path(of: "copy")) }
        }
    }

    @Test("copies have what was signed, and neither unfinished files nor others'")
    func copies() async throws {
        try await withFiles { files, made in
            try await files.write([1], of: try OrganizationID("acme"))
            try made.write([2], to: "checkpoints/acme.txt.new")
            try made.write([3], to: "checkpoints/notes.md")
            let target = made.beside.path(of: "copy")
            try files.copy(into: target)
            #expect(try CheckpointFiles(folder: target).names() == ["acme"])
            #expect(try await CheckpointFiles(folder: target).read(of: try OrganizationID("acme")) == [1])
            #expect(throws: (any Error).self) { try files.copy(into: target) }
        }
    }
}
