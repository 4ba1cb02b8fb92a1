import Cryptography
import Identifiers
import PostgresClient
import PostgresServer
import SQL
import SQLiteStorage
import StoragePorts
import TestSupport
import Testing
import TrackingIDs

@testable import PostgresStorage
@testable import SQLStorage
@testable import Service

/// A move that cannot be done is refused before anything is noted, so that the service goes on writing.
@Suite struct MoveRequirementsTests {
    private func expectNothingNoted(_ folder: MovingFolder) async throws {
        #expect(try folder.manifest?.move == nil)
        try await folder.create("globex")
        #expect(try await folder.organizations() == ["acme", "globex"])
    }

    @Test("a database of another folder, of any state, is refused")
    func otherFolder() async throws {
        try await MovingFolder.with(.sqlite) { folder in
            var generator = SystemRandomNumberGenerator()
            let other = FolderID(using: &generator)
            _ = try await PostgresSchema.migrate(folder.server)
            try folder.run("INSERT INTO folder (id) VALUES ('\(other)')")
            await #expect(throws: UnsuitableTarget.otherFolder) { try await folder.move(to: .postgres) }
            #expect(try await folder.note() == other.description)
            try await expectNothingNoted(folder)
        }
    }

    @Test("a source that a start of this version has not upgraded yet is refused")
    func source() async throws {
        try await MovingFolder.with(.sqlite) { folder in
            let key = try StorageMigration(folder.settings, to: folder.url, environment: [:]).erasureKey()
            let storage = try SQLiteStorage.open(
                folder: folder.made.path, erasureKey: key, ledgerHost: "links.example", observer: NoRuleObserver(),
                clock: { .noon })
            try await storage.stores.database.write { writing in
                try writing.db.statement("PRAGMA user_version = 1").run()
            }
            try storage.close()
            let refusal = await #expect(throws: StorageMigrationError.self) { try await folder.move(to: .postgres) }
            #expect(refusal?.description.contains("start the service with this version") == true)
            #expect(try folder.manifest?.move == nil)
        }
    }

    @Test("a source whose tables were changed is refused, and the change is named")
    func changedSource() async throws {
        try await MovingFolder.with(.sqlite) { folder in
            let key = try StorageMigration(folder.settings, to: folder.url, environment: [:]).erasureKey()
            let storage = try SQLiteStorage.open(
                folder: folder.made.path, erasureKey: key, ledgerHost: "links.example", observer: NoRuleObserver(),
                clock: { .noon })
            try await storage.stores.database.write { writing in
                try writing.db.statement("DROP INDEX consents_in_force").run()
            }
            try storage.close()
            let index = SchemaObjectName(type: "index", name: "consents_in_force")
            await #expect(throws: StorageError.foreignSchema(.missing(index))) {
                try await folder.move(to: .postgres)
            }
            #expect(try folder.manifest?.move == nil)
        }
    }

    @Test("signing keys that cannot be read are a reason not to begin")
    func withoutClusterKey() async throws {
        try await MovingFolder.with(.postgres) { folder in
            let key = try folder.made.bytes(of: FolderFile.clusterKey)
            try folder.made.remove(FolderFile.clusterKey)
            await #expect(throws: MissingClusterKey.self) { try await folder.move(to: .sqlite) }
            try folder.made.write(key, to: FolderFile.clusterKey)
            try await expectNothingNoted(folder)
        }
    }

    @Test("the folder gets the signing keys of all nodes: one that another node retired opens no link again")
    func ring() async throws {
        try await MovingFolder.with(.postgres) { folder in
            let secrets = try #require(try await ClusterSecrets.of(folder.made.path, folder.server, given: nil))
            let (first, version) = try await secrets.currentRing()
            var generator = SystemRandomNumberGenerator()
            // By another node, while that of this folder is off.
            let later = try first.rotated(at: first.signingKey.createdAt + 1, using: &generator).retiring(1)
            let bytes = KeyRingFile.bytes(of: later, folder: folder.made.id)
            #expect(try await secrets.replaceRing(by: bytes, after: version, version: version + 1))
            try await folder.move(to: .sqlite)
            let content = try KeyRingFile.Content(folder.made.bytes(of: FolderFile.keyRing))
            #expect(content.ring.keys.map(\.id) == [2])
            #expect(content.ring.hasSameKeys(as: later))
            let fingerprints = try #require(try KeyFingerprintsFile(in: folder.made.path).read())
            #expect(fingerprints == KeyFingerprints(of: content.ring, after: fingerprints))
            #expect(try await folder.start { $0.keys.value.keys.map(\.id) } == [2])
        }
    }
}
