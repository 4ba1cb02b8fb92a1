package import Cryptography
import Identifiers
package import PostgresClient
import SQL
import StoragePorts

/// Secrets that all nodes of a database need, sealed under a key that is never in the database. Each is sealed under a
/// key of its own, so that none can replace another.
package struct Vault: Sendable {
    package struct Secret: Hashable, Sendable {
        package let name: String
        /// Grows with each change.
        package let version: Int64
        package let content: String

        package init(name: String, version: Int64, content: String) {
            self.name = name
            self.version = version
            self.content = content
        }
    }

    private let settings: PostgresSettings
    private let key: SecretBytes

    /// - Parameter key: 32 bytes, the same for all nodes.
    package init(_ settings: PostgresSettings, key: SecretBytes) {
        self.settings = settings
        self.key = key
    }

    /// Whether a database has no secrets yet.
    package static func isEmpty(_ settings: PostgresSettings) async throws -> Bool {
        try await PostgresSchema.withConnection(settings) { connection in try isEmpty(connection) }
    }

    private static func isEmpty(_ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM vault LIMIT 1").first { _ in true } == nil
    }

    /// Checks the key of a starting node against the secrets in the vault, which may be empty.
    /// - Parameter key: `nil` if the node has no key.
    /// - Throws: ``MissingClusterKey``, ``WrongClusterKey``, or an error of the database.
    static func require(_ key: SecretBytes?, _ settings: PostgresSettings, _ db: any SQLConnection) throws {
        guard let key else {
            guard try isEmpty(db) else { throw MissingClusterKey() }
            return
        }
        _ = try Vault(settings, key: key).read(db)
    }

    /// Whether a data folder is noted in a database.
    package static func belongsToFolder(_ settings: PostgresSettings) async throws -> Bool {
        try await PostgresSchema.withConnection(settings) { connection in
            try connection.statement("SELECT 1 FROM folder LIMIT 1").first { _ in true } != nil
        }
    }

    /// All secrets in the vault.
    /// - Throws: ``WrongClusterKey``, or a `StoreFailure`.
    package func secrets() async throws -> [Secret] {
        try await run { [self] connection in try read(connection) }
    }

    /// Puts secrets into an empty vault. If two nodes do so at the same time, only one succeeds.
    /// - Returns: the secrets that are in the vault then.
    package func fill(_ secrets: [Secret]) async throws -> [Secret] {
        try await run { [self] connection in
            if try read(connection).isEmpty { for secret in secrets { try write(secret, connection) } }
            return try read(connection)
        }
    }

    /// Puts a later version of a secret into the vault.
    /// - Returns: whether the vault had the version `known`; otherwise another node has changed the secret.
    package func replace(
        _ name: String, after known: Int64, version: Int64, by content: String
    ) async throws -> Bool {
        try await run { [self] connection in
            guard try read(connection).contains(where: { $0.name == name && $0.version == known }) else { return false }
            try write(Secret(name: name, version: version, content: content), connection)
            return true
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await PostgresSchema.withConnection(settings) { [settings] connection in
            try PostgresCheck.requireDurableCommits(settings.durability, connection)
            return try connection.takingTurn { try body(connection) }
        }
    }

    private func read(_ db: any SQLConnection) throws -> [Secret] {
        let rows = try db.statement("SELECT name, version, sealed FROM vault ORDER BY name").all {
            (name: $0.text(0), version: $0.integer(1), sealed: $0.bytes(2))
        }
        return try rows.map { row in
            do throws(StorageError) {
                return Secret(name: row.name, version: row.version, content: try sealer(row.name).open(row.sealed))
            } catch {
                throw WrongClusterKey()
            }
        }
    }

    private func write(_ secret: Secret, _ db: any SQLConnection) throws {
        let sealed = secret.content.utf8.withContiguousStorageIfAvailable { bytes in
            sealer(secret.name).seal(UnsafeRawBufferPointer(bytes))
        }
        guard let sealed else { throw StorageError.unreadable }
        try db.statement(
            """
            INSERT INTO vault (name, version, sealed) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET version = excluded.version, sealed = excluded.sealed
            """
        ).run(secret.name, secret.version, sealed)
    }

    private func sealer(_ name: String) -> PersonalDataSealer {
        let info = Array("consentlink/vault/\(name)".utf8)
        guard let derived = try? HKDF.derive(from: key, info: info), let sealer = try? PersonalDataSealer(key: derived)
        else { preconditionFailure("no cipher could be made") }
        return sealer
    }
}

/// The database has secrets of nodes, and this node has no key to them.
package struct MissingClusterKey: StoreFailure, Hashable {
    package init() {}
    package var description: String {
        """
        the database belongs to other nodes: give this one the file cluster.key of one of their data folders, with the \
        setting cluster-key
        """
    }
    package var isTransient: Bool { true }
}

/// The nodes of the database have another cluster key.
package struct WrongClusterKey: StoreFailure, Hashable {
    package init() {}
    package var description: String { "cluster.key is not the one of the other nodes of this database" }
    package var isTransient: Bool { true }
}
