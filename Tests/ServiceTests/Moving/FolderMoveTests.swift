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

    @Test("after further moves, and one that is given up, an old setting still leads to the database that counts")
    func former() throws {
        var generator = SystemRandomNumberGenerator()
        var manifest = FolderManifest(
            folder: FolderID(using: &generator), madeAt: .noon, isComplete: true, storage: .postgres)
        func expect(_ counting: String, _ line: SourceLocation = #_sourceLocation) throws {
            manifest = try FolderManifest(manifest.bytes)
            for name in ["postgres:///one", "sqlite", "postgres:///two"] where isUsed(name) {
                let used = manifest.move?.counting(for: name) ?? name
                #expect(used == counting, "for \(name)", sourceLocation: line)
            }
            #expect(manifest.move?.counting(for: "postgres:///other") == nil, sourceLocation: line)
        }
        func isUsed(_ name: String) -> Bool {
            manifest.move.map { ([$0.from, $0.to] + $0.former).contains(name) } ?? false
        }
        func begin(_ from: String, _ to: String, passwordFile: String? = nil) {
            manifest.begin(FolderMove(from: from, to: to, passwordFile: passwordFile, isDone: false))
        }
        begin("postgres:///one", "sqlite")
        try expect("postgres:///one")
        manifest.endMove()
        try expect("sqlite")
        begin("sqlite", "postgres:///two", passwordFile: "/two")
        try expect("sqlite")
        begin("sqlite", "postgres:///two", passwordFile: "/two")
        try expect("sqlite")
        manifest.abandonMove()
        try expect("sqlite")
        #expect(manifest.move?.former == [])
        begin("sqlite", "postgres:///two", passwordFile: "/two")
        manifest.endMove()
        try expect("postgres:///two")
        #expect(manifest.move?.passwordFile == "/two")
        begin("postgres:///two", "sqlite")
        try expect("postgres:///two")
        #expect(manifest.move?.passwordFile == "/two", "the service still reads that database")
        manifest.abandonMove()
        try expect("postgres:///two")
        #expect(manifest.move?.passwordFile == "/two")
        begin("postgres:///two", "sqlite")
        manifest.endMove()
        try expect("sqlite")
        begin("sqlite", "postgres:///one")
        try expect("sqlite")
        manifest.endMove()
        try expect("postgres:///one")
        #expect(manifest.move?.passwordFile == nil, "that one has another server's password")
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
