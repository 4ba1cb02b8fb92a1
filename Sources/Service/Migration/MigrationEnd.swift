import Identifiers
import Logging
import PostgresClient
import PostgresStorage
import UseCases

/// What is to be done once the new database counts. Each part may be repeated: the command does it, and if it was killed,
/// the next command or the next start of the service.
struct MigrationEnd: Sendable {
    let folder: String
    let id: FolderID
    let move: FolderMigration
    let durability: Durability
    /// The setting `storage-password-file`; `nil` if it is not set.
    let passwordFile: String?
    let environment: [String: String]

    /// Tells the new database that it is the folder's, and the old one that it was moved. Until then no other process
    /// uses either of them. Durable on return.
    func tellDatabases() async throws {
        if let target = move.database(.target), let server = try server(move.to) {
            try await MigrationClaim.release(target, to: id, server)
        }
        if let source = move.database(.source), let server = try server(move.from) {
            try await MigrationClaim.recordMigration(
                source, of: id, node: try? NodeFile(in: folder).id, at: .now, server)
        }
    }

    /// - Returns: `nil` for a file.
    func server(_ name: String) throws -> PostgresSettings? {
        let choice = try StorageChoice(
            name, durability: durability, passwordFile: passwordFile ?? move.passwordFile, environment: environment)
        guard case .postgres(let server) = choice else { return nil }
        return server
    }

    /// Notes in the folder that nothing is left to be done. On disk on return.
    func complete() throws(DataFolderError) {
        guard var manifest = try FolderManifest.read(in: folder), manifest.move?.id == move.id else { return }
        manifest.completeMove()
        try manifest.write(in: folder)
    }
}

extension MigrationEnd {
    /// For a service that has opened the new database. The old server may be slow or gone, so it does not wait for it.
    func run(_ logger: Logger) {
        Task {
            do {
                // While the command `migrate` has the lock, it does this itself.
                let lock = try MigrationLock(in: folder)
                defer { lock.release() }
                try await tellDatabases()
                try complete()
            } catch StorageMigrationError.underWay {
            } catch {
                logger.warning(
                    """
                    the database that the storage was moved from does not say so yet: run consentlink migrate again, or \
                    start the service again
                    """, metadata: ["error": "\(error)"])
            }
        }
    }
}
