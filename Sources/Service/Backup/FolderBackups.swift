import Identifiers
import SQL
import Synchronization
import UseCases

/// Makes backups as folders beside each other.
///
/// A backup holds everything that was acknowledged before it was asked for, and no recipient whose erasure was answered
/// before it was finished: an erasure that comes meanwhile makes it begin anew. A service can start on it: what is not
/// as the running service has it is no backup.
actor FolderBackups: BackupMaking {
    private static let attempts = 5
    /// After so many attempts that erasures have overtaken, they are held back.
    private static let freeAttempts = 2
    /// A client that erases waits as long as this at most.
    private static let longestHolding = Duration.seconds(10)
    /// A key ring that is rotated is written to its file first, and used then.
    private static let copiesOfKeys = 3
    private static let pause = Duration.milliseconds(50)

    private let databases: DatabaseBackup
    private let keys: KeysInUse
    private let erasures: ErasureTurns
    private let dataFolder: String
    private let folder: (id: FolderID, own: FolderID)
    private let backups: String
    private let now: @Sendable () -> Timestamp
    private var isUnderWay = false

    /// - Parameters:
    ///   - erasures: of the service.
    ///   - folder: the id of the data folder, and the one that no other service has that makes backups in the same place.
    ///   - backups: the folder in which each backup is a folder of its own.
    init(
        databases: DatabaseBackup, keys: KeysInUse, erasures: ErasureTurns = ErasureTurns(), dataFolder: String,
        folder: (id: FolderID, own: FolderID), backups: String, now: @escaping @Sendable () -> Timestamp
    ) {
        self.databases = databases
        self.keys = keys
        self.erasures = erasures
        self.dataFolder = dataFolder
        self.folder = folder
        self.backups = backups
        self.now = now
    }

    /// - Throws: ``BackupError`` or a `StoreFailure`; the backup is then nowhere, not even in part.
    func make() async throws -> Backup {
        guard !isUnderWay else { throw BackupError.underWay }
        isUnderWay = true
        defer { isUnderWay = false }
        for number in 0..<Self.attempts {
            do {
                guard number >= Self.freeAttempts else { return try await attempt() }
                return try await erasures.holding(for: Self.longestHolding) { try await attempt() }
            } catch is DatabaseBackup.ErasedMeanwhile {
                continue
            }
        }
        throw BackupError.overtaken
    }

    private func attempt() async throws -> Backup {
        let startedAt = now()
        let unfinished = try UnfinishedBackup(startedAt: startedAt, owner: folder.own, in: backups)
        do {
            // Before the databases: what was signed is then in them.
            let checkpoints = CheckpointFiles(folder: "\(dataFolder)/\(FolderFile.checkpoints)")
            try checkpoints.copy(into: "\(unfinished.path)/\(FolderFile.checkpoints)")
            let requireNobodyErased = try await copyDatabases(into: unfinished.path)
            // After the databases: the ring then has every key that a link in them can be signed with.
            try await copySecrets(into: unfinished.path)
            try requireUsable(unfinished.path)
            let files = try unfinished.files()
            try requireNobodyErased()
            let place = try unfinished.finish()
            do {
                // An erasure that was answered while it got its name.
                try requireNobodyErased()
            } catch {
                try unfinished.takeBack()
                throw error
            }
            return Backup(
                folder: place, startedAt: startedAt, finishedAt: now(), files: files,
                includesDatabase: databases.includesDatabase)
        } catch {
            unfinished.discard()
            // Of the copy: the databases that it is made of were read alone.
            if case StorageError.full = error { throw BackupError.cannotWrite }
            throw error
        }
    }

    /// Ends early when the service does.
    private func copyDatabases(into folder: String) async throws -> @Sendable () throws -> Void {
        let ending = Ending()
        return try await withTaskCancellationHandler {
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

    private func copySecrets(into folder: String) async throws {
        var names = FolderFile.secrets
        if FileStatus("\(dataFolder)/\(FolderFile.clusterKey)") != nil { names.append(FolderFile.clusterKey) }
        var findings: [FolderFinding] = []
        for copy in 1...Self.copiesOfKeys {
            if copy > 1 { try? await Task.sleep(for: Self.pause) }
            findings = try copies(of: names, in: folder)
            if findings.isEmpty { return }
        }
        throw BackupError.unusable(findings.map(\.flaw))
    }

    /// - Returns: what is wrong with the copies, or why a file cannot be copied.
    private func copies(of names: [String], in folder: String) throws(DataFolderError) -> [FolderFinding] {
        do throws(DataFolderError) {
            for name in names { try copySecret(name, into: folder) }
            return try keys.findings(in: folder)
        } catch {
            guard case .unusable(let findings) = error else { throw error }
            return findings
        }
    }

    /// The manifest of a backup says that it is one.
    private static func marked(_ bytes: [UInt8]) throws(DataFolderError) -> [UInt8] {
        do throws(FolderFinding.Fault) {
            var manifest = try FolderManifest(bytes)
            manifest.isBackup = true
            return manifest.bytes
        } catch {
            throw .unusable(FolderFile.manifest, error)
        }
    }

    private func copySecret(_ name: String, into folder: String) throws(DataFolderError) {
        guard var bytes = try SecretFile(path: "\(dataFolder)/\(name)").read() else { throw .unusable(name, .missing) }
        if name == FolderFile.manifest { bytes = try Self.marked(bytes) }
        try SecretFile(path: "\(folder)/\(name)").write(bytes)
    }

    /// Holds a backup to what a start would ask of it: every file that its manifest names, and all of one folder.
    private func requireUsable(_ path: String) throws {
        let inspection = try FolderInspection(of: path)
        guard inspection.findings.isEmpty else { throw BackupError.unusable(inspection.findings.map(\.flaw)) }
        guard case .made(let manifest) = inspection.state, manifest.folder == folder.id else {
            throw BackupError.unusable([FolderFinding(FolderFile.manifest, .foreign).flaw])
        }
    }
}

extension FolderFinding {
    fileprivate var flaw: BackupError.Flaw { BackupError.Flaw(file: file, text: description) }
}
