import Cryptography
import Foundation
import Glibc
import Identifiers
import Testing
import TrackingIDs
import UseCases

@testable import Service

struct DataFolderTests {
    private let now = Timestamp(millisecondsSince1970: 1_795_264_936_123)

    private func withPath<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = NSTemporaryDirectory() + "folder-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("what is made at the first start is the same at the next")
    func sameSecretsAgain() throws {
        try withPath { path in
            let first = try secrets(path)
            let second = try secrets(path)
            #expect(first == second)
        }
    }

    private struct Secrets: Equatable {
        let operatorKey: String
        let erasureKey: SecretBytes
        let signingSecret: SecretBytes
    }

    private func secrets(_ path: String) throws -> Secrets {
        let folder = try DataFolder(at: path, now: now)
        return Secrets(
            operatorKey: try folder.operatorKey().text, erasureKey: try folder.erasureKey(),
            signingSecret: try folder.keyRing().ring.signingKey.secret)
    }

    @Test("nobody but its user can read the folder or a secret in it")
    func modes() throws {
        try withPath { path in
            _ = try secrets(path)
            #expect(try mode(of: path) == 0o700)
            for name in FolderManifest.files + ["manifest.json", "lock"] {
                #expect(try mode(of: path + "/" + name) == 0o600, "\(name)")
            }
        }
    }

    @Test("a folder that cannot be made is told with the system's reason")
    func cannotBeMade() throws {
        try withPath { path in
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(throws: DataFolderError.cannotBeMade("Not a directory")) {
                try DataFolder.makeFolder("\(path)/data")
            }
        }
    }

    @Test("a second owner is kept out until the first lets go")
    func lock() throws {
        try withPath { path in
            try withFirstOwner(path) {
                #expect(throws: DataFolderError.inUse(process: nil)) { _ = try DataFolder(at: path, now: now) }
            }
            _ = try DataFolder(at: path, now: now)
        }
    }

    private func withFirstOwner(_ path: String, _ body: () -> Void) throws {
        let folder = try DataFolder(at: path, now: now)
        body()
        #expect(folder.path == path)
    }

    @Test(
        "a damaged secret is named and not replaced",
        arguments: [("operator.key", "clk_short\n"), ("erasure.key", "short"), ("keyring.json", "{\"keys\":[]}")])
    func damaged(name: String, content: String) throws {
        try withPath { path in
            _ = try secrets(path)
            try content.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
            #expect(throws: DataFolderError.unusable(name, .damaged)) { _ = try secrets(path) }
            #expect(try String(contentsOfFile: path + "/" + name, encoding: .utf8) == content)
        }
    }

    @Test("a rotated ring is read back as it was written")
    func keyRingRoundTrip() throws {
        try withPath { path in
            let folder = try DataFolder(at: path, now: now)
            let (ring, file) = try folder.keyRing()
            var generator = SecureRandom()
            let noted = ring.signingLinks(forDays: 180)
            let later = now.advanced(byMilliseconds: 5)
            let rotated = try noted.rotated(at: later, using: &generator).rotated(at: later, using: &generator)
                .retiring(2)
            try file.write(rotated)
            let read = try folder.keyRing().ring
            #expect(read.keys.map(\.id) == rotated.keys.map(\.id))
            #expect(read.keys.map(\.secret) == rotated.keys.map(\.secret))
            #expect(read.keys.map(\.createdAt) == rotated.keys.map(\.createdAt))
            #expect(read.keys.map(\.signedUntil) == rotated.keys.map(\.signedUntil))
            #expect(read.keys.map(\.maximumLifetimeInDays) == [180, nil])
            #expect(read.signingKey.id == rotated.signingKey.id)
            #expect(read.retired?.count == 1 && read.retired == rotated.retired)
            try file.write(KeyRing(keys: rotated.keys))
            #expect(try folder.keyRing().ring.retired == nil, "a ring of an earlier version is read")
        }
    }

    @Test("each ring that is kept has a file of its own, once")
    func keptRings() throws {
        try withPath { path in
            let (ring, file) = try DataFolder(at: path, now: now).keyRing()
            var generator = SecureRandom()
            let rotated = try ring.rotated(at: now, using: &generator)
            for kept in [ring, rotated, ring, rotated] { try file.keep(kept) }
            let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.contains("lost") }
            #expect(Set(names) == ["keyring.json.lost", "keyring.json.lost-2"])
            let kept = try #require(try SecretFile(path: path + "/keyring.json.lost-2").read())
            #expect(try KeyRingFile.Content(kept).ring.keys.map(\.id) == [1, 2])
        }
    }

    @Test(
        "an unfinished file of the service's own is written over; a link in its place is not followed",
        arguments: ["", "link", "open"])
    func unfinishedFile(planted: String) throws {
        try withPath { path in
            _ = try secrets(path)
            let unfinished = path + "/operator.key.new"
            let target = path + "/target"
            switch planted {
            case "link": try FileManager.default.createSymbolicLink(atPath: unfinished, withDestinationPath: target)
            default:
                let mode = planted == "open" ? 0o644 : 0o600
                _ = FileManager.default.createFile(
                    atPath: unfinished, contents: Data(), attributes: [.posixPermissions: mode])
            }
            let file = SecretFile(path: path + "/operator.key")
            if planted.isEmpty {
                try file.write(Array("new".utf8))
                #expect(try file.read() == Array("new".utf8))
            } else {
                let before = try file.read()
                #expect(throws: DataFolderError.unusable("operator.key.new", .planted)) { try file.write([1]) }
                #expect(try file.read() == before)
                #expect(!FileManager.default.fileExists(atPath: target))
            }
        }
    }

    @Test("a secret that is reached by a FIFO or a link is not read")
    func noRegularFile() throws {
        try withPath { path in
            _ = try secrets(path)
            try FileManager.default.removeItem(atPath: path + "/ledger.key")
            #expect(mkfifo(path + "/ledger.key", 0o600) == 0)
            #expect(throws: DataFolderError.unusable("ledger.key", .notAFile)) {
                _ = try SecretFile(path: path + "/ledger.key").read()
            }
        }
    }

    @Test("a manifest of a later format is not taken for one of this version")
    func laterFormat() throws {
        let text = #"{"format":2,"folder":"later","madeAt":"2026-11-20T09:00:00.000Z","complete":true,"files":[]}"#
        #expect(throws: FolderFinding.Fault.newer) { _ = try FolderManifest(Array(text.utf8)) }
        #expect(throws: FolderFinding.Fault.damaged) { _ = try FolderManifest(Array("{}".utf8)) }
    }

    @Test("every finding has a remedy, and neither names a value")
    func remedies() {
        let faults: [FolderFinding.Fault] = [
            .missing, .empty, .damaged, .foreign, .symbolicLink, .hardLink, .notAFile, .notAFolder,
            .otherOwner(1000, expected: 0), .open(0o644), .closedToOwner(0o400), .planted, .withoutLedger,
            .newer, .notADataFolder,
        ]
        for file in FolderManifest.files + ["manifest.json", FolderFinding.folder] {
            for fault in faults {
                let finding = FolderFinding(file, fault)
                #expect(finding.description.hasPrefix(file))
                #expect(
                    finding.remedy(in: "/var/lib/consentlink").hasSuffix(".") || finding.remedy(in: "/x").contains(": ")
                )
            }
        }
    }

    @Test("a key is 256 bits after its prefix, and nothing else looks like one")
    func credentials() throws {
        var generator = SecureRandom()
        let one = Credential(using: &generator)
        let other = Credential(using: &generator)
        #expect(one.text.hasPrefix("clk_") && one.text.utf8.count == 47)
        #expect(one.text != other.text && one.digest != other.digest)
        #expect(Credential(one.text)?.digest == one.digest)
        for text in ["", "clk_", String(one.text.dropLast()), one.text + "A", "klc_" + one.text.dropFirst(4)] {
            #expect(Credential(text) == nil)
        }
    }
}
