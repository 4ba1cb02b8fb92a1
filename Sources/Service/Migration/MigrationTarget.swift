import Logging
import PostgresStorage

/// The database that the main database is moved to, for the service itself: its working folder, rights and network may
/// differ from those of the command that moves it.
struct MigrationTarget: Sendable {
    /// A ``SettingError`` if the service cannot read what it needs to connect.
    private let choice: Result<StorageChoice, SettingError>

    /// - Returns: `nil` unless a move is under way.
    init?(_ move: FolderMigration?, _ given: ServiceSettings, _ environment: [String: String]) {
        guard let move, !move.isDone else { return nil }
        do throws(SettingError) {
            choice = .success(
                try StorageChoice(
                    move.to, durability: given.durability, passwordFile: given.storagePasswordFile ?? move.passwordFile,
                    environment: environment))
        } catch {
            choice = .failure(error)
        }
    }

    /// Tries the database, and then tells the process that moves the main database whether the service can use it.
    func sign(_ signature: FolderSignature?, _ logger: Logger) {
        Task {
            let fault = await fault()
            if let fault {
                logger.error(
                    "the service cannot use the database that its storage is moved to", metadata: ["error": "\(fault)"])
            }
            signature?.sign(fault == nil ? .readOnly : .readOnlyAlone)
        }
    }

    /// - Returns: why the service could not start on it; `nil` if it could.
    private func fault() async -> String? {
        do {
            guard case .postgres(let server) = try choice.get() else { return nil }
            let unsafe = try await PostgresCheck.findings(server).filter(\.isFatal)
            return unsafe.isEmpty ? nil : "\(UnsafeDatabase(unsafe))"
        } catch {
            return "\(error)"
        }
    }
}
