import Glibc
import Identifiers
import LocalFiles
import Logging
import SQL
import Synchronization
import UseCases

/// Makes backups as folders in one folder.
///
/// A backup contains everything that was acknowledged before it was requested, and no recipient whose erasure was
/// answered before it was finished: an erasure meanwhile makes the backup begin again. A service can start on it: if
/// its files do not match the running service, it is no backup.
actor FolderBackups: BackupMaking {
    private static let attempts = 5
    /// The number of attempts that erasures may overtake. After that, erasures are delayed.
    private static let freeAttempts = 2
    /// The longest time for which an erasure is delayed.
    private static let maximumHoldDuration = Duration.seconds(10)
    /// How often the keys are copied at most. A rotation may run meanwhile: it writes the key ring to its file first,
    /// and uses it after that.
    private static let copiesOfKeys = 3
    private static let pause = Duration.milliseconds(50)

    private let databases: DatabaseBackup
    private let keys: KeysInUse
    private let erasures: ErasureGate
    private let dataFolder: String
    private let folder: (id: FolderID, own: FolderID)
    private let backups: String
    private let room: BackupRoom
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private var isUnderWay = false

    /// - Parameters:
    ///   - erasures: the erasures of the service.
    ///   - folder: the id of the data folder, and the id that no other service with the same folder for backups has.
    ///   - backups: the folder in which each backup is a folder of its own.
    ///   - floor: what the data folder needs on its disk.
    ///   - now: the system's clock, by which the age of backups is judged. Service time may lead it for weeks: a backup
    ///     that was named by it would have a date in the future, and would not count.
    init(
        databases: DatabaseBackup, keys: KeysInUse, erasures: ErasureGate = ErasureGate(), dataFolder: String,
        folder: (id: FolderID, own: FolderID), backups: String, floor: DiskFloor,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.databases = databases
        self.keys = keys
        self.erasures = erasures
        self.dataFolder = dataFolder
        self.folder = folder
        self.backups = backups
        room = BackupRoom(dataFolder: dataFolder, backups: backups, floor: floor)
        self.now = now
        self.logger = logger
    }

    /// - Throws: ``BackupError`` or a `StoreFailure`; then no part of the backup remains.
    func make() async throws -> Backup {
        guard !isUnderWay else { throw BackupError.underWay }
        isUnderWay = true
        defer { isUnderWay = false }
        for number in 0..<Self.attempts {
            do {
                guard number >= Self.freeAttempts else { return try await attempt() }
                return try await erasures.holding(for: Self.maximumHoldDuration) { try await attempt() }
            } catch is DatabaseBackup.ErasedMeanwhile {
                continue
            } catch let failure as UnwritableBackup {
                report(failure)
                throw BackupError.cannotWrite
            } catch let refusal as BackupError {
                logger.error("no backup was made", metadata: ["reason": "\(refusal)"])
                throw refusal
            }
        }
        logger.error("no backup was made", metadata: ["reason": "\(BackupError.overtaken)"])
        throw BackupError.overtaken
    }

    private func report(_ failure: UnwritableBackup) {
        let details: Logger.Metadata = ["path": "\(failure.path)", "error": "\(failure.reason)"]
        guard failure.isLeft else { return logger.error("a backup cannot be written", metadata: details) }
        logger.critical(
            "a backup that failed has the name of a backup and cannot be renamed: remove it", metadata: details)
    }

    private func attempt() async throws -> Backup {
        let startedAt = NewestBackup.next(in: backups, now: now())
        let unfinished = try UnfinishedBackup(
            startedAt: startedAt, owner: folder.own, of: folder.id, in: backups)
        do {
            try room.require(
                [FolderDatabases.spoolName] + (databases.includesDatabase ? [FolderDatabases.storageName] : []))
            // Copied before the databases: the copied databases then contain everything that was signed.
            try copyCheckpoints(into: unfinished.path)
            let requireNobodyErased = try await copyDatabases(into: unfinished.path)
            // Copied after the databases: the ring then has every key that links in them may be signed with.
            try await copySecrets(into: unfinished.path)
            try requireUsable(unfinished.path)
            let files = try unfinished.files()
            try requireNobodyErased()
            let place = try unfinished.finish()
            do {
                // An erasure may have been answered while the backup got its name.
                try requireNobodyErased()
            } catch {
                try unfinished.takeBack()
                throw error
            }
            return Backup(
                folder: place, startedAt: startedAt, finishedAt: max(startedAt, now()), files: files,
                includesDatabase: databases.includesDatabase)
        } catch {
            unfinished.discard()
            // The databases that the copy is made from were only read.
            if let failure = error as? FailedCopy { throw UnwritableBackup(failure.path, reason: failure.reason) }
            throw error
        }
    }

    private func copyCheckpoints(into folder: String) throws {
        do {
            try CheckpointFiles(folder: "\(dataFolder)/\(FolderFile.checkpoints)")
                .copy(into: "\(folder)/\(FolderFile.checkpoints)")
        } catch DataFolderError.unusable(let findings) {
            throw BackupError.unusable(findings.map(\.flaw))
        }
    }

    /// Ends early when the service ends.
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

    /// - Returns: the faults of the copies, or why a file cannot be copied.
    private func copies(of names: [String], in folder: String) throws -> [FolderFinding] {
        do {
            for name in names { try copySecret(name, into: folder) }
            return try Self.ofCopy(folder) { () throws(DataFolderError) in try keys.findings(in: folder) }
        } catch DataFolderError.unusable(let findings) {
            return findings
        }
    }

    /// Runs `body`, which concerns only the copy, so that its errors are not taken for those of the data folder.
    private static func ofCopy<Value>(
        _ path: String, _ body: () throws(DataFolderError) -> Value
    ) throws -> Value {
        do throws(DataFolderError) { return try body() } catch {
            if case .unusable = error { throw error }
            throw UnwritableBackup(path, reason: error.description)
        }
    }

    /// Marks the manifest as that of a backup. A move that is not done is not the backup's: its new database belongs to
    /// the folder that the backup was made of.
    private func marked(_ bytes: [UInt8]) throws -> [UInt8] {
        var manifest: FolderManifest
        do throws(FolderFinding.Fault) {
            manifest = try FolderManifest(bytes)
        } catch {
            throw DataFolderError.unusable(FolderFile.manifest, error)
        }
        if manifest.move?.isDone == false { manifest.abandonMove() }
        // The storage was moved while the backup was made, and the service starts again on the new one.
        guard databases.includesDatabase == (manifest.storage == .sqlite) else { throw BackupError.serviceIsEnding }
        manifest.isBackup = true
        return manifest.bytes
    }

    private func copySecret(_ name: String, into folder: String) throws {
        guard var bytes = try SecretFile(path: "\(dataFolder)/\(name)").read() else {
            throw DataFolderError.unusable(name, .missing)
        }
        if name == FolderFile.manifest { bytes = try marked(bytes) }
        let copy = SecretFile(path: "\(folder)/\(name)")
        try Self.ofCopy(copy.path) { [bytes] () throws(DataFolderError) in try copy.write(bytes) }
    }

    /// Checks a backup like a start would: it has every file that its manifest names, and all are of one folder.
    private func requireUsable(_ path: String) throws {
        let inspection = try Self.inspection(of: path)
        guard inspection.findings.isEmpty else {
            // A failed read can look like a fault of a file. A file that is sound the next time was not read right.
            guard try Self.inspection(of: path).findings == inspection.findings else {
                throw UnwritableBackup(path, reason: "it was read with another result the second time")
            }
            throw BackupError.unusable(inspection.findings.map(\.flaw))
        }
        guard case .made(let manifest) = inspection.state, manifest.folder == folder.id else {
            throw BackupError.unusable([FolderFinding(FolderFile.manifest, .foreign).flaw])
        }
        // Another program can change the running service's databases, and a copy has what they have.
        let changed = FolderDatabases.schemaFindings(in: path, of: databases.includesDatabase ? .sqlite : .postgres)
        guard changed.isEmpty else { throw BackupError.changed(changed.map { $0.flaw(withRemedyIn: dataFolder) }) }
    }

    private static func inspection(of path: String) throws -> FolderInspection {
        try ofCopy(path) { () throws(DataFolderError) in try FolderInspection(of: path) }
    }
}

extension FolderFinding {
    fileprivate var flaw: BackupError.Flaw { BackupError.Flaw(file: file, text: description) }

    fileprivate func flaw(withRemedyIn folder: String) -> BackupError.Flaw {
        BackupError.Flaw(file: file, text: "\(description). \(remedy(in: folder))")
    }
}
