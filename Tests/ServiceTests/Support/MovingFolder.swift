import Consent
import Cryptography
import Identifiers
import Messages
import Organizations
import PostgresClient
import PostgresServer
import SQL
import StoragePorts
import TestSupport
import UseCases

@testable import PostgresStorage
@testable import Service

/// A data folder with an organization that is moved between its file and a database on a server, by processes that end
/// at any point.
struct MovingFolder {
    struct Killed: Error {}

    let made: MadeFolder
    /// The database on the server.
    let server: PostgresSettings
    /// The same, as the setting `storage` names it.
    let url: String
    /// The setting `storage`, which stays as it was before the first move.
    private let given: StorageChoice
    private let log = CapturedLog()

    private init(_ made: MadeFolder, _ storage: StorageKind, _ location: PostgresLocation) {
        self.made = made
        server = PostgresSettings(location: location, password: nil, durability: .local)
        url = "postgres://test@/\(location.database ?? "")?host=\(location.hosts.first?.name ?? "")"
        given = storage == .sqlite ? .embedded : .postgres(server)
    }

    static func with(_ storage: StorageKind, _ body: (MovingFolder) async throws -> Void) async throws {
        let location = try PostgresServer.durable.makeDatabase()
        try await MadeFolder.with(storage) { made in
            let folder = MovingFolder(made, storage, location)
            try await folder.create("acme")
            try await body(folder)
        }
        try PostgresServer.durable.drop(location)
    }

    var settings: ServiceSettings {
        var settings = ServiceSettings()
        settings.dataFolder = made.path
        settings.storage = given
        settings.storageText = name(given.kind)
        return settings
    }

    func name(_ kind: StorageKind) -> String { kind == .sqlite ? StorageChoice.embeddedName : url }

    /// Starts as the service does, with the setting from before the first move.
    @discardableResult
    func start<Result>(_ body: (StorageParts) async throws -> Result) async throws -> Result {
        let inForce = try SettingsInForce(settings, environment: [:])
        let folder = try DataFolder(at: made.path, storage: inForce.settings.storage.kind, now: .noon)
        let stored = try await StorageParts(
            folder: folder, settings: inForce.settings, isReadOnly: inForce.isMigrating,
            publicOrigin: try PublicOrigin("https://links.example"), logger: log.logger)
        defer { try? stored.close() }
        // As the service does once nothing speaks against the ledgers.
        try FingerprintNote(path: made.path).write()
        return try await body(stored)
    }

    func create(_ id: String) async throws {
        try await start { stored in
            let organization = Organization(id: try OrganizationID(id), name: id, enforcement: .restrictive)
            let digest = APIKeyDigest(bytes: SHA256.hash(of: Array(id.utf8)))
            _ = try await stored.stores.organizations.create(
                organization, firstKey: NewAPIKey(digest: digest, name: "", scopes: [.manage]), at: stored.now())
        }
    }

    /// The names of the organizations for a service that starts.
    func organizations() async throws -> [String] {
        try await start { try await $0.stores.organizations.all().map(\.name).sorted() }
    }

    @discardableResult
    func move(to kind: StorageKind, endingAt end: MigrationMilestone? = nil) async throws -> StorageMigration.Outcome {
        try await migration(to: kind, end).run { _ in }
    }

    /// - Returns: whether the move was completed instead.
    @discardableResult
    func abandon(endingAt end: MigrationMilestone? = nil) async throws -> Bool {
        try await migration(to: nil, end).abandon() != nil
    }

    private func migration(to kind: StorageKind?, _ end: MigrationMilestone?) throws -> StorageMigration {
        var migration = try StorageMigration(settings, to: kind.map(name), environment: [:])
        migration.reach = { if $0 == end { throw Killed() } }
        return migration
    }

    var manifest: FolderManifest? { get throws { try FolderManifest.read(in: made.path) } }

    /// What the database on the server says of its folder; `nil` if it has no tables or says nothing.
    func note() async throws -> String? {
        try await PostgresSchema.withConnection(server) { connection in
            guard try PostgresSchema.version(connection) > 0 else { return nil }
            return try DatabaseOwner.note(connection)
        }
    }

    /// Changes the database on the server as another node would.
    func run(_ script: String) throws {
        let connection = try PostgresConnection(server.location, password: nil)
        defer { connection.close() }
        try connection.run(script: script)
    }
}
