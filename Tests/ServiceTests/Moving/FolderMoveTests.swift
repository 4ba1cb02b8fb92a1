import Identifiers
import TestSupport
import Testing

@testable import Service

/// Where the storage of a folder is, for a service that was set up before it was moved.
@Suite struct FolderMoveTests {
    private func move(isDone: Bool) -> FolderMove {
        FolderMove(from: "sqlite", to: "postgres:///links", passwordFile: "/etc/password", isDone: isDone)
    }

    @Test("a service that names one of the two gets the one that counts, and any other gets none")
    func counting() {
        #expect(move(isDone: false).counting(for: "sqlite") == nil)
        #expect(move(isDone: false).counting(for: "postgres:///links") == "sqlite")
        #expect(move(isDone: true).counting(for: "sqlite") == "postgres:///links")
        #expect(move(isDone: true).counting(for: "postgres:///links") == nil)
        for isDone in [false, true] { #expect(move(isDone: isDone).counting(for: "postgres:///others") == nil) }
    }

    @Test("a manifest keeps what was noted, and names the files of the storage that counts")
    func manifest() throws {
        var generator = SystemRandomNumberGenerator()
        var manifest = FolderManifest(folder: FolderID(using: &generator), madeAt: .noon, isComplete: true)
        #expect(try FolderManifest(manifest.bytes) == manifest)
        manifest.begin(move(isDone: false))
        #expect(try FolderManifest(manifest.bytes) == manifest)
        #expect(manifest.storage == .sqlite)
        #expect(manifest.files.contains("consentlink.db"))
        manifest.endMove()
        #expect(try FolderManifest(manifest.bytes) == manifest)
        #expect(manifest.storage == .postgres)
        #expect(!manifest.files.contains("consentlink.db"))
        #expect(manifest.move?.isDone == true)
        manifest.abandonMove()
        #expect(manifest.move == nil)
    }
}
