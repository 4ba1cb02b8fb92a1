import Cryptography
import Foundation
import Identifiers
import PostgresClient
import PostgresStorage
import StoragePorts
import SystemPackage
import TrackingIDs
import UseCases

/// The secrets that every node of a cluster has: they are in each node's data folder, and sealed in the database, from
/// which a new node takes them. `cluster.key` opens them; the operator gives it to a new node.
struct ClusterSecrets {
    private static let keyRing = FolderFile.keyRing
    private static let folderName = "folder"

    /// Copies of files of the data folder, by their names.
    private static let files = FolderFile.rawSecrets + [FolderFile.operatorKey]

    private let vault: Vault

    // MARK: - A new node

    /// Makes the data folder of a new node of an existing cluster, or the first folder of a new one. Does nothing if
    /// there is a folder, and if no key was given and the database is new. Waits for a while for a server that cannot
    /// be reached.
    static func prepareFolder(_ settings: ServiceSettings, _ timeout: ServerPatience) async throws {
        guard case .postgres(let server) = settings.storage else { return }
        let inspection = try FolderInspection(of: settings.dataFolder)
        guard inspection.state == .empty, inspection.findings.isEmpty else { return }
        let given = try settings.clusterKey?.required()
        guard let secrets = try await timeout({ try await sharedSecrets(server, given) }), let key = given else {
            return
        }
        try makeFolder(settings.dataFolder, with: secrets, key: key)
    }

    /// The secrets of all nodes; makes them if this node is the first.
    /// - Returns: `nil` if no key was given and the database is new.
    private static func sharedSecrets(
        _ server: PostgresSettings, _ given: SecretBytes?
    ) async throws -> [Vault.Secret]? {
        _ = try await PostgresSchema.migrate(server)
        guard let key = given else {
            guard try await Vault.isEmpty(server) else { throw MissingClusterKey() }
            return nil
        }
        if try await Vault.isEmpty(server), try await Vault.belongsToFolder(server) { throw NodeSetupError.olderFolder }
        return try await Vault(server, key: key).fill(newSecrets())
    }

    private static func newSecrets() -> [Vault.Secret] {
        var generator = SecureRandom()
        let id = FolderID(using: &generator)
        var contents = [folderName: id.description]
        for name in FolderFile.rawSecrets {
            contents[name] = Base64.encode(generator.bytes(FolderSecrets.secretLength))
        }
        contents[FolderFile.operatorKey] = Base64.encode(Array((Credential(using: &generator).text + "\n").utf8))
        contents[keyRing] = Base64.encode(
            KeyRingFile.bytes(of: KeyRing(at: .now, using: &generator), folder: id))
        return contents.map { Vault.Secret(name: $0, version: 1, content: $1) }
    }

    private static func makeFolder(_ path: String, with secrets: [Vault.Secret], key: SecretBytes) throws {
        guard let id = secrets.first(where: { $0.name == folderName }).flatMap({ FolderID($0.content) }) else {
            throw NodeSetupError.damagedVault
        }
        var files: [String: [UInt8]] = [:]
        for name in Self.files + [keyRing] {
            guard let secret = secrets.first(where: { $0.name == name }), let bytes = try? Base64.decode(secret.content)
            else { throw NodeSetupError.damagedVault }
            files[name] = bytes
        }
        try DataFolder.makeFolder(path)
        try ClusterKeyFile(in: path).write(key)
        let manifest = FolderManifest(folder: id, madeAt: .now, isComplete: false, storage: .postgres)
        try FolderCreator(path: path, manifest: manifest, now: .now, secrets: files).make()
    }

    // MARK: - A node that has its folder

    /// The key of a data folder, or the one that the setting `cluster-key` names. The folder's own is enough if the
    /// named file is gone.
    /// - Returns: `nil` if there is neither.
    /// - Throws: ``WrongClusterKey`` if they differ, ``SettingError`` or ``DataFolderError``.
    static func key(in path: String, given: GivenClusterKey?) throws -> SecretBytes? {
        guard let own = try ClusterKeyFile(in: path).read() else { return try given?.required() }
        if let key = given?.key, key != own { throw WrongClusterKey() }
        return own
    }

    /// Puts the secrets of a data folder into the database if it has none yet. Makes `cluster.key` if the stored
    /// secrets need none.
    static func share(
        folder path: String, id: FolderID, _ server: PostgresSettings, given: GivenClusterKey?
    ) async throws -> ClusterSecrets {
        let file = ClusterKeyFile(in: path)
        let known = try Self.key(in: path, given: given)
        if known == nil, try await !Vault.isEmpty(server) { throw MissingClusterKey() }
        var generator = SecureRandom()
        let key = known ?? SecretBytes(count: FolderSecrets.secretLength, using: &generator)
        if try file.read() == nil { try file.write(key) }
        let vault = Vault(server, key: key)
        var contents = [folderName: id.description]
        for name in Self.files + [keyRing] {
            guard let bytes = try SecretFile(path: "\(path)/\(name)").read() else {
                throw DataFolderError.unusable(name, .missing)
            }
            contents[name] = Base64.encode(bytes)
        }
        let secrets = try await vault.fill(contents.map { Vault.Secret(name: $0, version: 1, content: $1) })
        guard secrets.first(where: { $0.name == folderName })?.content == id.description else { throw OtherFolder() }
        return ClusterSecrets(vault: vault)
    }

    /// The secrets in a database that a data folder is moved from. Changes neither.
    /// - Returns: `nil` if the database has none: no version of the service with nodes has used it.
    /// - Throws: ``MissingClusterKey``, ``WrongClusterKey`` or what ``key(in:given:)`` throws.
    static func of(
        _ path: String, _ server: PostgresSettings, given: GivenClusterKey?
    ) async throws -> ClusterSecrets? {
        guard try await !Vault.isEmpty(server) else { return nil }
        guard let key = try key(in: path, given: given) else { throw MissingClusterKey() }
        return ClusterSecrets(vault: Vault(server, key: key))
    }

    /// Writes the ring of signing keys of all nodes into a data folder that leaves the database. The folder's own ring
    /// is older if its node was off when another one changed the ring. Durable on return.
    func writeRing(to file: KeyRingFile) async throws {
        let known = try file.read()
        var written: Int64?
        // Repeated if the folder's service has changed the ring meanwhile.
        while true {
            let (ring, version) = try await currentRing()
            guard version != written else { return }
            let whole = ring.merging(keysOf: known, at: .now)
            for dropped in whole.dropped { try file.keep(dropped) }
            try file.write(whole.ring)
            // The start on the embedded store compares the two.
            try file.note(whole.ring)
            written = version
        }
    }

    /// The ring of signing keys of all nodes, and its version.
    func currentRing() async throws -> (ring: KeyRing, version: Int64) { try Self.ring(in: await vault.secrets()) }

    /// Gives all nodes another ring of signing keys.
    /// - Parameters:
    ///   - bytes: in the format of the ring's file.
    ///   - known: the version that it replaces.
    /// - Returns: whether the vault had that version; if not, another node has changed the ring.
    func replaceRing(by bytes: [UInt8], after known: Int64, version: Int64) async throws -> Bool {
        try await vault.replace(Self.keyRing, after: known, version: version, by: Base64.encode(bytes))
    }

    /// The ring of signing keys of all nodes, and its version. If it lacks keys of `known`, or has keys again that
    /// `known` says were retired, the database was put back to an earlier state, and it is changed accordingly.
    /// - Parameters:
    ///   - version: the version that this node has of the ring.
    ///   - folder: the id of the data folder.
    func ring(
        merging known: KeyRing, version: Int64, folder: FolderID, at now: Timestamp
    ) async throws -> (ring: MergedKeyRing, version: Int64) {
        while true {
            let (ring, found) = try await currentRing()
            let whole = ring.merging(keysOf: known, at: now)
            guard whole.isChanged else { return (whole, found) }
            let next = max(found, version) + 1
            let bytes = KeyRingFile.bytes(of: whole.ring, folder: folder)
            // Repeated if another node has changed the ring meanwhile.
            if try await replaceRing(by: bytes, after: found, version: next) { return (whole, next) }
        }
    }

    private static func ring(in secrets: [Vault.Secret]) throws -> (ring: KeyRing, version: Int64) {
        guard let secret = secrets.first(where: { $0.name == keyRing }), let bytes = try? Base64.decode(secret.content)
        else { throw NodeSetupError.damagedVault }
        do throws(FolderFinding.Fault) {
            return (try KeyRingFile.Content(bytes).ring, secret.version)
        } catch {
            throw NodeSetupError.damagedVault
        }
    }
}

/// The 32 random bytes that open the secrets of a cluster, in hexadecimal.
struct ClusterKeyFile {
    private let file: SecretFile

    init(in folder: String) { file = SecretFile(path: "\(folder)/\(FolderFile.clusterKey)") }

    func read() throws(DataFolderError) -> SecretBytes? {
        guard let bytes = try file.read() else { return nil }
        do throws(FolderFinding.Fault) {
            return try FolderSecrets.clusterKey(bytes)
        } catch {
            throw .unusable(FolderFile.clusterKey, error)
        }
    }

    func write(_ key: SecretBytes) throws {
        let text = key.withSpan { span in Hexadecimal.encode(span.withUnsafeBufferPointer { Array($0) }) }
        try file.write(Array((text + "\n").utf8))
    }
}

/// Why a node cannot be set up.
enum NodeSetupError: StoreFailure, Hashable {
    case olderFolder
    case damagedVault

    var description: String {
        switch self {
        case .olderFolder:
            "the database has no secrets of the data folder that it belongs to: start the node of that folder first"
        case .damagedVault: "the secrets in the database do not have the form that nodes write"
        }
    }

    var isTransient: Bool { true }
}
