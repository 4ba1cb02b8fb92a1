import Cryptography
import Foundation
import Identifiers
import Organizations
import Testing
import TrackingIDs

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
        let folder = try DataFolder(at: path)
        return Secrets(
            operatorKey: try folder.operatorKey().text, erasureKey: try folder.erasureKey(),
            signingSecret: try folder.keyRing(now: now).ring.signingKey.secret)
    }

    @Test("nobody but its user can read the folder or a secret in it")
    func modes() throws {
        try withPath { path in
            _ = try secrets(path)
            #expect(try mode(of: path) == 0o700)
            for name in ["operator.key", "erasure.key", "keyring.json", "lock"] {
                #expect(try mode(of: path + "/" + name) == 0o600, "\(name)")
            }
        }
    }

    @Test("a second owner is kept out until the first lets go")
    func lock() throws {
        try withPath { path in
            try withFirstOwner(path) {
                #expect(throws: DataFolderError.inUse) { _ = try DataFolder(at: path) }
            }
            _ = try DataFolder(at: path)
        }
    }

    private func withFirstOwner(_ path: String, _ body: () -> Void) throws {
        let folder = try DataFolder(at: path)
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
            #expect(throws: DataFolderError.damaged(name)) { _ = try secrets(path) }
            #expect(try String(contentsOfFile: path + "/" + name, encoding: .utf8) == content)
        }
    }

    @Test("a rotated ring is read back as it was written")
    func keyRingRoundTrip() throws {
        try withPath { path in
            let folder = try DataFolder(at: path)
            let (ring, file) = try folder.keyRing(now: now)
            var generator = SecureRandom()
            let rotated = try ring.rotated(at: now.advanced(byMilliseconds: 5), using: &generator)
            try file.write(rotated)
            let read = try #require(try file.read())
            #expect(read.keys.map(\.id) == rotated.keys.map(\.id))
            #expect(read.keys.map(\.secret) == rotated.keys.map(\.secret))
            #expect(read.keys.map(\.createdAt) == rotated.keys.map(\.createdAt))
            #expect(read.keys.map(\.signedUntil) == rotated.keys.map(\.signedUntil))
            #expect(read.signingKey.id == rotated.signingKey.id)
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
