import Cryptography
import PostgresStorage
import SQLStorage
import StoragePorts

/// What a move needs. Nothing is noted anywhere before all of it is there: a service must not stop writing for a move
/// that can never be done.
extension StorageMigration {
    func requireFolder() throws {
        let inspection = try FolderInspection(of: path)
        try inspection.requireUsable()
        guard case .made = inspection.state else { throw DataFolderError.notThere }
        try inspection.require(settings.storage.kind)
    }

    /// Checks both databases. Makes the tables in an empty new one.
    func requireDatabases(_ move: FolderMigration, _ target: StorageChoice) async throws {
        let key = try erasureKey()
        if case .postgres(let server) = target, let side = move.database(.target) {
            let unsafe = try await PostgresCheck.findings(server).filter(\.isFatal)
            guard unsafe.isEmpty else { throw UnsafeDatabase(unsafe) }
            try await MoveTarget.prepare(
                side, of: try manifest().folder, isContinued: move.state != .begun, erasureKey: key, server)
        }
        if case .postgres(let server) = settings.storage {
            try await MigrationClaim.requireAlone(server, but: try NodeFile(in: path).id)
            _ = try await ClusterSecrets.of(path, server, given: settings.clusterKey)?.currentRing()
        }
        let source = try MigrationSource(settings.storage, folder: path, key)
        defer { source.close() }
        try await source.requireReady()
    }

    func manifest() throws(DataFolderError) -> FolderManifest {
        guard let manifest = try FolderManifest.read(in: path) else { throw .notThere }
        return manifest
    }

    func erasureKey() throws(DataFolderError) -> SecretBytes {
        try SecretFile(path: "\(path)/\(FolderFile.erasureKey)").read(FolderSecrets.secret)
    }
}
