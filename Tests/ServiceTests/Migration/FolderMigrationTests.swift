import Glibc
import Identifiers
import TestSupport
import Testing

@testable import Service

/// Where the storage of a folder is, for a service that was set up before it was moved.
@Suite struct FolderMigrationTests {
    private func move(isDone: Bool) -> FolderMigration {
        FolderMigration(from: "sqlite", to: "postgres:///links", passwordFile: "/etc/password", isDone: isDone)
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
            manifest.begin(FolderMigration(from: from, to: to, passwordFile: passwordFile, isDone: false))
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

    @Test(
        "a name of a database is the same in every spelling of it, and no other",
        arguments: [
            ("postgres://u@db/links", true), ("postgresql://u@db/links", true), ("postgres://u@db:5432/links", true),
            ("postgres://u@db/links?sslmode=require&application_name=x", true), ("postgres://db/links", true),
            ("postgres://u@db/links?application_name=x&sslmode=require", true), ("postgres://u@db:5433/links", false),
            ("postgres://u@127.0.0.1/links", false), ("postgres://u@db/other", false), ("postgres://u@db", false),
            ("postgres://u@db,db2/links", false), ("sqlite", false), ("", false),
        ])
    func spellings(_ text: String, _ isSame: Bool) {
        #expect(StorageChoice.areSame("postgres://u@db/links", text) == isSame)
        #expect(StorageChoice.areSame(text, text))
        let move = FolderMigration(from: "sqlite", to: "postgres://u@db/links", passwordFile: nil, isDone: false)
        #expect((move.counting(for: text) == "sqlite") == isSame)
    }

    @Test("a move whose source is not what the running service's setting leads to is refused")
    func settings() throws {
        var generator = SystemRandomNumberGenerator()
        var manifest = FolderManifest(folder: FolderID(using: &generator), madeAt: .noon, isComplete: true)
        try manifest.requireSetting(naming: "postgres:///anything")
        manifest.setting = "postgres://u@db/links"
        #expect(try FolderManifest(manifest.bytes) == manifest)
        try manifest.requireSetting(naming: "postgres://u@db:5432/links")
        let refusal = #expect(throws: StorageMigrationError.self) {
            try manifest.requireSetting(naming: "postgres://u@127.0.0.1/links")
        }
        #expect(refusal?.description.contains("postgres://u@db/links") == true)
        manifest.begin(FolderMigration(from: "postgres://db/links", to: "sqlite", passwordFile: nil, isDone: true))
        try manifest.requireSetting(naming: "sqlite")
        #expect(throws: StorageMigrationError.self) { try manifest.requireSetting(naming: "postgres://u@db/links") }
    }

    @Test("how far a move is stays noted, and only a move that goes on keeps its id and its copy")
    func states() throws {
        var generator = SystemRandomNumberGenerator()
        var manifest = FolderManifest(
            folder: FolderID(using: &generator), madeAt: .noon, isComplete: true, storage: .postgres)
        func next() -> FolderMigration {
            FolderMigration(from: "postgres:///links", to: "sqlite", passwordFile: nil, isDone: false)
        }
        manifest.begin(next())
        let id = try #require(manifest.move?.id)
        manifest.setMove(.copying(commits: 7))
        manifest = try FolderManifest(manifest.bytes)
        manifest.begin(next())
        #expect(manifest.move?.id == id && manifest.move?.state == .copying(commits: 7))
        manifest.endMove()
        manifest = try FolderManifest(manifest.bytes)
        #expect(manifest.move?.state == .switched && manifest.move?.isDone == true)
        manifest.setMove(.begun)
        #expect(manifest.move?.state == .switched, "the new database counts")
        manifest.completeMove()
        manifest = try FolderManifest(manifest.bytes)
        #expect(manifest.move?.state == .done)
        manifest.begin(FolderMigration(from: "sqlite", to: "postgres:///two", passwordFile: nil, isDone: false))
        #expect(manifest.move?.id != id && manifest.move?.state == .begun)
        // As an earlier version has noted it.
        let old = try FolderManifest(
            Array(String(decoding: manifest.bytes, as: UTF8.self).replacing(/,"id":"[^"]*"(?=,"former)/, with: "").utf8)
        )
        #expect(old.move?.id == nil && old.move?.state == .begun)
        #expect(next().following(old.move).id != nil)
    }

    @Test("a manifest that cannot be read is not taken for none: the folder may be in the middle of a move")
    func unreadable() throws {
        try MadeFolder.with { made in
            let path = made.path(of: FolderFile.manifest)
            #expect(chmod(path, 0o644) == 0)
            var settings = ServiceSettings()
            settings.dataFolder = made.path
            let open = DataFolderError.unusable(FolderFile.manifest, .open(0o644))
            #expect(throws: open) { try FolderManifest.read(in: made.path) }
            #expect(throws: open) { try SettingsInForce(settings, environment: [:]) }
            #expect(throws: open) { try StorageMigration(settings, to: nil, environment: [:]) }
            _ = try SettingsInForce(settings, environment: [:], isOfAnyUser: true)
            #expect(chmod(path, 0o600) == 0)
            try made.write(Array("{}".utf8), to: FolderFile.manifest)
            #expect(throws: DataFolderError.unusable(FolderFile.manifest, .damaged)) {
                try SettingsInForce(settings, environment: [:])
            }
        }
    }

    @Test("the setting of a service is noted once, and a folder without a manifest is left alone")
    func note() throws {
        try TemporaryFolder.with { folder in
            let note = StorageSettingNote(folder: folder.path)
            try note.write("sqlite")
            #expect(try folder.files == [])
            var generator = SystemRandomNumberGenerator()
            let manifest = FolderManifest(folder: FolderID(using: &generator), madeAt: .noon, isComplete: true)
            try SecretFile(path: folder.path(of: FolderFile.manifest)).write(manifest.bytes)
            try note.write("sqlite")
            #expect(try FolderManifest.read(in: folder.path)?.setting == "sqlite")
            try note.write("postgres:///links")
            #expect(try FolderManifest.read(in: folder.path)?.setting == "postgres:///links")
        }
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
