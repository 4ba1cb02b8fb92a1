import Consent
import Cryptography
import Foundation
import HTTPAPI
import Identifiers
import Logging
import Messages
import Organizations
import PostgresClient
import PostgresServer
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing
import UseCases

@testable import PostgresStorage
@testable import Service

/// A start on a folder whose main database is on a server: it must be the one that belongs to the folder.
@Suite struct PostgresStartTests {
    let log = CapturedLog()

    func choice(_ location: PostgresLocation, _ durability: Durability = .local) -> StorageChoice {
        .postgres(PostgresSettings(location: location, password: nil, durability: durability))
    }

    func start<Result>(
        _ made: MadeFolder, _ choice: StorageChoice, _ body: (StorageParts) async throws -> Result
    ) async throws -> Result {
        let folder = try DataFolder(at: made.path, storage: choice.kind, now: .noon)
        var settings = ServiceSettings()
        settings.storage = choice
        let stored = try await StorageParts(
            folder: folder, settings: settings, isReadOnly: false,
            publicOrigin: try PublicOrigin("https://links.example"), logger: log.logger)
        defer { try? stored.close() }
        // As the service does once nothing speaks against the ledgers.
        try FingerprintNote(path: made.path).write()
        return try await body(stored)
    }

    private func refusal(_ made: MadeFolder, _ choice: StorageChoice) async -> DataFolderError? {
        await #expect(throws: DataFolderError.self) { try await start(made, choice) { _ in } }
    }

    func create(_ id: String, _ stored: StorageParts) async throws {
        let organization = Organization(id: try OrganizationID(id), name: id, enforcement: .restrictive)
        let digest = APIKeyDigest(bytes: SHA256.hash(of: Array(id.utf8)))
        _ = try await stored.stores.organizations.create(
            organization, firstKey: NewAPIKey(digest: digest, name: "", scopes: [.manage]), at: stored.now())
    }

    func withFolder(_ body: (MadeFolder, PostgresLocation) async throws -> Void) async throws {
        let location = try PostgresServer.durable.makeDatabase()
        try await MadeFolder.with(.postgres) { try await body($0, location) }
        try PostgresServer.durable.drop(location)
    }

    private func version(_ location: PostgresLocation) async throws -> Int {
        let settings = PostgresSettings(location: location, password: nil, durability: .local)
        return try await PostgresSchema.withConnection(settings) { try PostgresSchema.version($0) }
    }

    @Test("the first start makes the tables in an empty database, and the next one has what it stored")
    func restart() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { try await create("acme", $0) }
            #expect(log.lines.map(\.message) == ["the schema of the database was made or brought up to date"])
            #expect(log.lines.first?.metadata == ["from": "0", "to": "\(PostgresSchema.current)"])
            try await start(made, choice(location)) { stored in
                let names = try await stored.stores.organizations.all().map(\.id.description)
                #expect(names == ["acme"])
                #expect(!stored.isCopy)
                #expect(stored.statuses() == [.working, .working])
            }
            #expect(log.lines.count == 1)
            #expect(!made.has("consentlink.db"))
        }
    }

    @Test("a backup has the spool and no database, which has backups of its own")
    func backup() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { stored in
                try await TemporaryFolder.with { target in
                    try await stored.backup.copy(into: target.path) {}
                    #expect(try target.files == ["spool.db"])
                }
            }
        }
    }

    @Test("the database of another folder is refused, and is not changed")
    func otherFolder() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { try await create("acme", $0) }
            try await MadeFolder.with(.postgres) { other in
                // With its own erasure key, and with that of the folder to which the database belongs.
                #expect(await refusal(other, choice(location)) == .unusable("erasure.key", .foreign))
                try other.write(made.bytes(of: "erasure.key"), to: "erasure.key")
                #expect(await refusal(other, choice(location)) == .unusable("the database", .foreign))
            }
            let count = try await start(made, choice(location)) { try await $0.stores.organizations.all().count }
            #expect(count == 1)
        }
    }

    @Test("another erasure key is refused: erased people would not be recognised")
    func erasureKey() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { try await create("acme", $0) }
            try made.write([UInt8](repeating: 9, count: 32), to: "erasure.key")
            #expect(await refusal(made, choice(location)) == .unusable("erasure.key", .foreign))
        }
    }

    @Test("a database that was emptied or replaced is refused for a folder that is not new, and no table is made in it")
    func emptied() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { _ in }
            let empty = try PostgresServer.durable.makeDatabase()
            #expect(await refusal(made, choice(empty)) == .unusable("the database", .empty))
            #expect(try await version(empty) == 0)
            let settings = PostgresSettings(location: empty, password: nil, durability: .local)
            _ = try await PostgresSchema.migrate(settings)
            #expect(await refusal(made, choice(empty)) == .unusable("the database", .empty), "with tables, too")
            try await start(made, choice(location)) { _ in }
            try PostgresServer.durable.drop(empty)
        }
    }

    @Test(
        "a checkpoint whose ledger the database does not have does not keep the service from starting: links must lead on"
    )
    func checkpointWithoutLedger() async throws {
        try await withFolder { made, location in
            try await start(made, choice(location)) { try await create("acme", $0) }
            try made.write([1], to: "checkpoints/globex.txt")
            let count = try await start(made, choice(location)) { try await $0.stores.organizations.all().count }
            #expect(count == 1)
        }
    }

    @Test("a server whose settings lose what was acknowledged is refused, with what is wrong and how to mend it")
    func unsafe() async throws {
        let location = try PostgresServer.shared.makeDatabase()
        try await MadeFolder.with(.postgres) { made in
            let error = await #expect(throws: UnsafeDatabase.self) { try await start(made, choice(location)) { _ in } }
            #expect(error?.description.contains("fsync is off and must be on") == true)
            #expect(error?.description.contains("ALTER SYSTEM SET full_page_writes = on") == true)
            let version = try await version(location)
            #expect(version == 0)
        }
        try PostgresServer.shared.drop(location)
    }

    @Test("without a synchronous standby a start with durability quorum is refused")
    func noStandby() async throws {
        try await withFolder { made, location in
            let error = await #expect(throws: UnsafeDatabase.self) {
                try await start(made, choice(location, .quorum)) { _ in }
            }
            #expect(error?.findings.contains(.noStandby) == true)
        }
    }

    @Test("tables of a later version, and those of another program, are refused and not changed")
    func otherTables() async throws {
        try await withFolder { made, location in
            let connection = try PostgresConnection(location, password: nil)
            try connection.run(script: "CREATE TABLE invoices (id int)")
            let foreign = await #expect(throws: SchemaError.self) { try await start(made, choice(location)) { _ in } }
            #expect(foreign == .foreign)
            try connection.run(script: "DROP TABLE invoices")
            try await start(made, choice(location)) { _ in }
            try connection.run(script: "UPDATE schema_version SET version = version + 1")
            let newer = await #expect(throws: UnsafeDatabase.self) { try await start(made, choice(location)) { _ in } }
            #expect(newer?.description.contains("Start the version of ConsentLink that has changed it.") == true)
            connection.close()
        }
    }

    @Test("a start waits for a server that cannot be reached yet, and says so; the log names no password")
    func waits() async throws {
        try await TemporaryFolder.with { beside in
            let database = try PostgresServer.durable.makeDatabase()
            // The server's socket comes to be there after the first attempt.
            let link = beside.path(of: "server")
            let name = try #require(database.database)
            let location = try PostgresLocation("postgres://test@/\(name)?host=\(link)")
            try await MadeFolder.with(.postgres) { made in
                let coming = Task {
                    try #require(await eventually { !log.lines.isEmpty })
                    try FileManager.default.createSymbolicLink(
                        atPath: link, withDestinationPath: PostgresServer.durable.folder)
                }
                try await start(made, choice(location)) { try await create("acme", $0) }
                try await coming.value
            }
            #expect(log.lines.first?.message.hasPrefix("the database cannot be used yet: ") == true)
            #expect(log.levels.first == .warning)
        }
    }

    @Test("the start that makes a node's folder waits for the server, too, and says why when it does not come")
    func waitsBeforeTheFirstFolder() async throws {
        try await TemporaryFolder.with { beside in
            let database = try PostgresServer.durable.makeDatabase()
            let link = beside.path(of: "server")
            let name = try #require(database.database)
            var settings = ServiceSettings()
            settings.dataFolder = beside.path(of: "data")
            settings.storage = choice(try PostgresLocation("postgres://test@/\(name)?host=\(link)"))
            let key = try beside.write(String(repeating: "0f", count: 32), to: "key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            settings.clusterKey = try GivenClusterKey(file: key)
            let given = settings
            let impatient = await #expect(throws: PostgresError.self) {
                try await ClusterSecrets.prepareFolder(given, ServerPatience(longest: .zero, logger: log.logger))
            }
            #expect(impatient?.description.hasPrefix("PostgreSQL cannot be reached: ") == true)
            #expect(log.lines.isEmpty && !beside.contains("data"))
            let coming = Task {
                try #require(await eventually { !log.lines.isEmpty })
                try FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: PostgresServer.durable.folder)
            }
            try await ClusterSecrets.prepareFolder(
                given, ServerPatience(longest: ServerPatience.standard, logger: log.logger))
            try await coming.value
            #expect(log.lines.first?.message.hasPrefix("the database cannot be used yet: ") == true)
            #expect(beside.contains("data/cluster.key"))
            try PostgresServer.durable.drop(database)
        }
    }

    @Test("a start that waited for nothing ends with the reason")
    func unreachable() async throws {
        try await TemporaryFolder.with { beside in
            let location = try PostgresLocation("postgres://test@/links?host=\(beside.path)")
            try await MadeFolder.with(.postgres) { made in
                let folder = try DataFolder(at: made.path, storage: .postgres, now: .noon)
                var opening = StorageOpening(
                    choice: choice(location), id: folder.id, node: nil, isNew: true,
                    erasureKey: try folder.erasureKey(),
                    ledgerHost: "links.example", observer: RecordingObserver(), clock: { .noon },
                    noteTime: { _ in }, logger: log.logger)
                opening.timeout = .zero
                let impatient = opening
                let error = await #expect(throws: PostgresError.self) {
                    try await FolderDatabases(in: made.path, impatient).close()
                }
                #expect(error?.description.hasPrefix("PostgreSQL cannot be reached: ") == true)
            }
        }
    }
}
