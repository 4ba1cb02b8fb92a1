import Identifiers
import Synchronization
import UseCases

/// Makes backups as folders beside each other.
///
/// A backup holds everything that was acknowledged before it was asked for, and no recipient who was erased before it
/// was finished: an erasure that comes meanwhile makes it begin anew.
actor FolderBackups: BackupMaking {
    private static let attempts = 5

    private let databases: DatabaseBackup
    private let dataFolder: String
    private let backups: String
    private let now: @Sendable () -> Timestamp
    private var isUnderWay = false

    /// - Parameter backups: the folder in which each backup is a folder of its own.
    init(
        databases: DatabaseBackup, dataFolder: String, backups: String, now: @escaping @Sendable () -> Timestamp
    ) {
        self.databases = databases
        self.dataFolder = dataFolder
        self.backups = backups
        self.now = now
    }

    /// - Throws: ``BackupError`` or a `StoreFailure`; the backup is then nowhere, not even in part.
    func make() async throws -> Backup {
        guard !isUnderWay else { throw BackupError.underWay }
        isUnderWay = true
        defer { isUnderWay = false }
        for _ in 0..<Self.attempts {
            do {
                return try await attempt()
            } catch is DatabaseBackup.ErasedMeanwhile {
                continue
            }
        }
        throw BackupError.overtaken
    }

    private func attempt() async throws -> Backup {
        let startedAt = now()
        let unfinished = try UnfinishedBackup(named: NewestBackup.name(startedAt: startedAt), in: backups)
        do {
            // Before the databases: what was signed is then in them.
            let checkpoints = CheckpointFiles(folder: "\(dataFolder)/\(DataFolder.checkpoints)")
            try checkpoints.copy(into: "\(unfinished.path)/\(DataFolder.checkpoints)")
            try await copyDatabases(into: unfinished.path)
            // After the databases: the ring then has every key that a link in them can be signed with.
            for name in DataFolder.secretFiles { try copySecret(name, into: unfinished.path) }
            let files = try unfinished.files()
            return Backup(
                folder: try unfinished.finish(), startedAt: startedAt, finishedAt: now(), files: files,
                includesDatabase: databases.includesDatabase)
        } catch {
            unfinished.discard()
            throw error
        }
    }

    /// Ends early when the service does.
    private func copyDatabases(into folder: String) async throws {
        let ending = Ending()
        try await withTaskCancellationHandler {
            try await databases.copy(into: folder) {
                if ending.isNear.load(ordering: .relaxed) { throw BackupError.serviceIsEnding }
            }
        } onCancel: {
            ending.isNear.store(true, ordering: .relaxed)
        }
    }

    private final class Ending: Sendable {
        let isNear = Atomic<Bool>(false)
    }

    private func copySecret(_ name: String, into folder: String) throws {
        guard let bytes = try SecretFile(path: "\(dataFolder)/\(name)").read() else {
            throw DataFolderError.cannotRead(name)
        }
        try SecretFile(path: "\(folder)/\(name)").write(bytes)
    }
}
