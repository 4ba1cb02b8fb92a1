import Consent
import Cryptography
import Foundation
import HTTPAPI
import Identifiers
import Logging
import Messages
import Organizations
import SQLiteFiles
import StorageContracts
import StoragePorts
import TestSupport
import Testing
import UseCases

@testable import Service

/// A start on a folder: the databases are its own, and what was lost meanwhile is told before anything is served.
@Suite struct StartTests {
    private let log = CapturedLog()

    private func start<Result>(_ made: MadeFolder, _ body: (StorageParts) async throws -> Result) async throws -> Result
    {
        let folder = try DataFolder(at: made.path, now: .noon)
        let stored = try await StorageParts(
            folder: folder, settings: ServiceSettings(), isReadOnly: false,
            publicOrigin: try PublicOrigin("https://links.example"),
            logger: log.logger)
        defer { try? stored.close() }
        return try await body(stored)
    }

    /// What a start says of a folder that it does not take.
    private func refusal(_ made: MadeFolder) async -> DataFolderError? {
        await #expect(throws: DataFolderError.self) { try await start(made) { _ in } }
    }

    private func create(_ id: String, _ stored: StorageParts) async throws {
        let organization = Organization(id: try OrganizationID(id), name: id, enforcement: .restrictive)
        let digest = APIKeyDigest(bytes: SHA256.hash(of: Array(id.utf8)))
        _ = try await stored.stores.organizations.create(
            organization, firstKey: NewAPIKey(digest: digest, name: "", scopes: [.manage]), at: stored.now())
    }

    @Test("what one start stored the next one has, later than it; nothing of that is told as wrong")
    func restart() async throws {
        try await MadeFolder.with { made in
            let before = try await start(made) { stored in
                try await create("acme", stored)
                return stored.now()
            }
            try await start(made) { stored in
                let names = try await stored.stores.organizations.all().map(\.id.description)
                #expect(names == ["acme"])
                #expect(stored.now() >= before)
                #expect(!stored.isCopy)
                #expect(stored.statuses() == [.working, .working])
            }
            #expect(log.lines == [])
        }
    }

    @Test("a folder that was copied is known as a copy")
    func copied() async throws {
        try await MadeFolder.with { made in
            try await start(made) { try await create("acme", $0) }
            try await start(made.copied()) { #expect($0.isCopy) }
            try await start(made) { #expect(!$0.isCopy) }
        }
    }

    @Test("a backup that was copied over the files of the folder is known as a copy at its first start")
    func copiedOver() async throws {
        try await MadeFolder.with { made in
            try await start(made) { try await create("acme", $0) }
            var manifest = try #require(try FolderManifest.read(in: made.path))
            manifest.isBackup = true
            try made.write(manifest.bytes, to: FolderFile.manifest)
            try await start(made) { #expect($0.isCopy) }
            try await start(made) { #expect(!$0.isCopy) }
        }
    }

    @Test("a start with the clock behind what is stored says so, and goes on from there")
    func clockBehind() async throws {
        try await MadeFolder.with { made in
            try await start(made) { try await create("acme", $0) }
            let folder = try DataFolder(at: made.path, now: .noon)
            let databases = try await FolderDatabases(
                in: made.path, .embedded(erasureKey: folder.erasureKey()))
            let latest = try await databases.latestTime()
            try databases.close()
            #expect(folder.id == made.id)
            let script = ScriptedClock()
            let wall = latest.millisecondsSince1970 * 1_000_000 - 7200 * ScriptedClock.second
            script.move(step: wall - ScriptedClock.noon)
            let monitor = ClockMonitor(ServiceClock(source: script.source), logger: log.logger)
            monitor.begin(notBefore: latest)
            #expect(monitor.clock.now() >= latest)
            #expect(monitor.reasonNotReady?.description.contains(" 7199 s behind service time") == true)
            #expect(log.levels == [.error])
        }
    }

    @Test("a folder that lost its manifest gets one of its own id, once everything else was found right")
    func unmarked() async throws {
        try await MadeFolder.with { made in
            try made.remove(FolderFile.manifest)
            try await start(made) { _ in }
            let manifest = try FolderManifest(made.bytes(of: FolderFile.manifest))
            #expect(manifest.folder == made.id && manifest.isComplete)
            #expect(try made.open() == [])
        }
    }

    @Test("another erasure key is refused: erased people would not be recognised")
    func erasureKey() async throws {
        try await MadeFolder.with { made in
            try await start(made) { try await create("acme", $0) }
            try made.write([UInt8](repeating: 9, count: 32), to: "erasure.key")
            #expect(await refusal(made) == .unusable("erasure.key", .foreign))
        }
    }

    @Test("a checkpoint whose ledger the database does not have is refused, and the databases are let go of")
    func checkpointWithoutLedger() async throws {
        try await MadeFolder.with { made in
            try await start(made) { try await create("acme", $0) }
            try FileManager.default.createDirectory(
                atPath: made.path(of: "checkpoints"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try made.write([1], to: "checkpoints/globex.txt")
            #expect(await refusal(made) == .unusable("checkpoints/globex.txt", .withoutLedger))
            try made.remove("checkpoints/globex.txt")
            try made.write([1], to: "checkpoints/acme.txt")
            let count = try await start(made) { try await $0.stores.organizations.all().count }
            #expect(count == 1)
        }
    }

    @Test("a folder says in the log what was done to it, and names no path")
    func events() throws {
        try TemporaryFolder.with { beside in
            let path = beside.path(of: "new")
            let folder = try DataFolder(at: path, now: .noon)
            folder.log(to: log.logger)
            #expect(log.levels == [.warning])
            #expect(log.lines.first?.metadata == ["folder": "\(folder.id)"])
            #expect(!log.lines.contains { "\($0)".contains(path) })
        }
        try MadeFolder.with { made in
            try FingerprintNote(path: made.path).write()
            var generator = SecureRandom()
            try made.write(Array(Credential(using: &generator).text.utf8), to: "operator.key")
            try made.write([1], to: "ledger.key.new")
            let folder = try DataFolder(at: made.path, now: .noon)
            folder.log(to: log.logger)
            #expect(log.lines.count == 3)
            #expect(log.lines[1].metadata == ["file": "ledger.key.new"])
            #expect(log.lines[2].message.contains("its holder is the operator now"))
            #expect(folder.id == made.id)
        }
    }
}
