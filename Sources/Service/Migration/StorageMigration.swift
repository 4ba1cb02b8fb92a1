import Cryptography
import Foundation
import Glibc
import Identifiers
import Ledger
import LocalFiles
import PostgresClient
import PostgresStorage
import SQLStorage
import SQLiteFiles
import SQLiteStorage
import SystemPackage
import UseCases

/// Moves the main database of a data folder to another storage: `consentlink migrate`.
///
/// A service that runs on the folder continues: links redirect, clicks wait in the spool, and every other write is
/// refused until the move is done. If the move is interrupted, the copied rows stay; run again, it continues. The new
/// database counts once the manifest says so, which is one write to one file.
package struct StorageMigration: Sendable {
    package enum Step: Sendable {
        /// The service starts again so that nothing more is written.
        case holding
        case copying(table: String, rows: Int, of: Int)
        /// The new database is compared with the old one, rows and ledgers. The completed part, 0 to 1.
        case comparing(Double)
        /// The service starts again on the new database.
        case switching
    }

    package struct Report: Sendable {
        package struct Ledger: Sendable {
            package let organization: String
            package let size: UInt64
            package let root: String
        }

        package let rows: Int
        package let ledgers: [Ledger]
        /// What to do with the old database.
        package let remainder: String
    }

    private let path: String
    private let settings: ServiceSettings
    private let move: FolderMigration
    private let target: StorageChoice
    /// Whether only this process's environment has the password.
    private let hasHiddenPassword: Bool

    /// - Parameters:
    ///   - settings: the settings of the folder; `storage` names the present place of its main database.
    ///   - text: the target, as the setting `storage` names it; also `sqlite:` and the data folder.
    ///   - environment: has the password of a server if no file has it.
    /// - Throws: ``SettingError``, ``StorageMigrationError``
    package init(_ given: ServiceSettings, to text: String?, environment: [String: String]) throws {
        let settings = try SettingsInForce(given, environment: environment).settings
        path = settings.dataFolder
        self.settings = settings
        // To abandon a move, no target is needed.
        let isNamed = text != nil
        let text = text ?? FolderManifest.read(in: path)?.move?.to ?? StorageChoice.embeddedName
        var name = text
        if text.hasPrefix("sqlite:") {
            let folder = String(text.dropFirst("sqlite:".count))
            guard ServiceSettings.absolute(folder).path == ServiceSettings.absolute(path).path else {
                throw StorageMigrationError.otherFolder
            }
            name = StorageChoice.embeddedName
        } else {
            name = StorageChoice.withAbsoluteFiles(text)
        }
        target = try StorageChoice(
            name, durability: settings.durability, passwordFile: settings.storagePasswordFile, environment: environment)
        guard target.kind != settings.storage.kind else {
            throw isNamed ? StorageMigrationError.sameKind(target.kind) : StorageMigrationError.noMove
        }
        // Another process, or this one later, can read nothing more from a pipe.
        let passwordFile = settings.storagePasswordFile
            .map { ServiceSettings.absolute($0).path }
            .flatMap { FileStatus(following: $0)?.type == .regular ? $0 : nil }
        if case .postgres(let server) = target {
            hasHiddenPassword = server.password != nil && passwordFile == nil
        } else {
            hasHiddenPassword = false
        }
        move = FolderMigration(from: settings.storageText, to: name, passwordFile: passwordFile, isDone: false)
    }

    /// - Parameter note: called for every step, and often.
    /// - Throws: a `StoreFailure`, ``DataFolderError``, ``StorageMigrationError``; the folder is then unchanged, or the
    ///   move can be continued.
    package func run(_ note: @escaping @Sendable (Step) -> Void) async throws -> Report {
        try requireFolder()
        let lock = try MigrationLock(in: path)
        defer { lock.release() }
        let service = RunningService(folder: path)
        if service.isRunning { try FolderManifest.read(in: path)?.requireSetting(naming: move.from) }
        if settings.storage.kind == .sqlite { FolderMigration.removeNode(in: path) }
        if case .postgres(let server) = target { try await requireServer(server) }
        if case .postgres(let server) = settings.storage {
            // Before the service of this folder refuses writes.
            try await MigrationClaim.requireAlone(server, but: try NodeFile(in: path).id)
        }
        guard !hasHiddenPassword || !service.isRunning else { throw StorageMigrationError.passwordOfEnvironment }
        let isNew = FolderManifest.read(in: path)?.move?.isDone ?? true
        try change { manifest throws(StorageMigrationError) in
            if let known = manifest.move, !known.isDone, !known.isSame(as: move) {
                throw StorageMigrationError.otherMove(to: known.to)
            }
            manifest.begin(move)
        }
        if service.isRunning {
            note(.holding)
            try await hold(service, isNew: isNew)
        }
        let claim = try await claimSource(isHeldByService: service.isRunning)
        let comparison = try await copyAndCompare(note)
        note(.switching)
        try await claim?.requireUnchanged()
        if target.kind == .sqlite { try moveIntoPlace() }
        try change { manifest in manifest.endMove() }
        let isNoted = await recordMigration(claim)
        let isServed = service.isRunning
        if isServed { try await service.restartOnMoved() }
        return Report(
            rows: comparison.rows,
            ledgers: comparison.ledgers.map {
                Report.Ledger(organization: $0.organization, size: $0.head.size, root: $0.head.root.text)
            }, remainder: leaveOld(isNoted: isNoted, isServed: isServed))
    }

    /// Ends a move that was not completed: the folder keeps its present storage.
    package func abandon() async throws {
        guard FolderManifest.read(in: path) != nil else { throw DataFolderError.notThere }
        let lock = try MigrationLock(in: path)
        defer { lock.release() }
        try change { manifest throws(StorageMigrationError) in
            guard let known = manifest.move, !known.isDone else { throw .noMove }
            manifest.abandonMove()
        }
        try? FileManager.default.removeItem(atPath: copyFolder)
        let service = RunningService(folder: path)
        if service.isRunning { try await service.restart(until: .serving) }
    }

    /// Makes the running service refuse writes. If it cannot use the new database, it goes on as before.
    /// - Parameter isNew: whether nothing was copied yet.
    private func hold(_ service: RunningService, isNew: Bool) async throws {
        do {
            try await service.restart(until: .readOnly)
        } catch StorageMigrationError.unusableForService where isNew {
            try change { manifest in manifest.abandonMove() }
            try await service.restart(until: .serving)
            throw StorageMigrationError.unusableForService
        }
    }

    // MARK: - The old database

    /// Excludes the other nodes from a server's database; only the service of the folder uses a file.
    private func claimSource(isHeldByService: Bool) async throws -> MigrationClaim? {
        guard case .postgres(let server) = settings.storage else { return nil }
        return try await MigrationClaim.acquire(server, of: try NodeFile(in: path).id, isHeldByService: isHeldByService)
    }

    /// Ends the claim. The move is done, even if this cannot be noted in the old database.
    /// - Returns: whether the old database says that it was moved.
    private func recordMigration(_ claim: MigrationClaim?) async -> Bool {
        guard let claim else { return false }
        do {
            try await claim.recordMigration(at: .now)
            await claim.end()
            return true
        } catch {
            await claim.end()
            return false
        }
    }

    /// An old file contains names that no erasure would reach any more.
    /// - Parameter isServed: whether a service has opened the new database.
    private func leaveOld(isNoted: Bool, isServed: Bool) -> String {
        guard settings.storage.kind == .sqlite else {
            let isSafe = isNoted ? "No service starts with it any more." : "Make sure that no service starts with it."
            return "The old database is not used any more: drop it once you have a backup of the new one. \(isSafe)"
        }
        guard isServed else { return "The old file is deleted when the service has opened the new database." }
        FolderMigration.removeOld(in: path)
        return "The old file was deleted: an erasure would not have reached it."
    }

    // MARK: - Copying

    private func copyAndCompare(_ note: @escaping @Sendable (Step) -> Void) async throws -> StorageComparison {
        let key = try erasureKey()
        let source = try MigrationSource(settings.storage, folder: path, key)
        defer { source.close() }
        let first = try await openTarget(key)
        do {
            try await StorageCopy(from: source.reading, to: first).run { progress in
                note(.copying(table: progress.table, rows: progress.rows, of: progress.total))
            }
        } catch {
            try? first.close()
            throw error
        }
        try first.close()
        // Opened again, so that only its stored content counts.
        let second = try await openTarget(key)
        let comparison: StorageComparison
        do {
            note(.comparing(0))
            comparison = try await StorageCopy(from: source.reading, to: second).compare { note(.comparing($0)) }
        } catch {
            try? second.close()
            throw error
        }
        try second.close()
        guard comparison.isEqual else {
            throw StorageMigrationError.different(comparison.otherTables + comparison.otherLedgers)
        }
        return comparison
    }

    private func openTarget(_ key: SecretBytes) async throws -> any OpenStorage {
        let folder = try folderID()
        let host = "moved"
        let clock: @Sendable () -> Timestamp = { .now }
        switch target {
        case .embedded:
            try DataFolder.makeFolder(copyFolder)
            try SQLiteStorage.make(folder: copyFolder, id: folder)
            return try SQLiteStorage.open(
                folder: copyFolder, erasureKey: key, ledgerHost: host, observer: NoRuleObserver(), clock: clock)
        case .postgres(let server):
            _ = try await PostgresSchema.migrate(server)
            return try await PostgresStorage.open(
                server, folder: folder, isNew: true, node: nil, erasureKey: key, ledgerHost: host,
                observer: NoRuleObserver(), clock: clock)
        }
    }

    private func requireServer(_ server: PostgresSettings) async throws {
        let unsafe = try await PostgresCheck.findings(server).filter(\.isFatal)
        guard unsafe.isEmpty else { throw UnsafeDatabase(unsafe) }
        _ = try await PostgresSchema.migrate(server)
        let known = FolderManifest.read(in: path)?.move
        let isBegun = known.map { StorageChoice.areSame($0.to, move.to) && !$0.isDone } ?? false
        let isUsed = try await PostgresReading.hasOrganizations(server)
        guard isBegun || !isUsed else { throw StorageMigrationError.notEmpty }
    }

    // MARK: - The folder

    private var copyFolder: String { "\(path)/moving" }

    private func requireFolder() throws {
        let inspection = try FolderInspection(of: path)
        try inspection.requireUsable()
        guard case .made = inspection.state else { throw DataFolderError.notThere }
        try inspection.require(settings.storage.kind)
    }

    private func folderID() throws -> FolderID {
        guard let manifest = FolderManifest.read(in: path) else { throw DataFolderError.notThere }
        return manifest.folder
    }

    private func erasureKey() throws -> SecretBytes {
        guard let bytes = try SecretFile(path: "\(path)/\(FolderFile.erasureKey)").read() else {
            throw DataFolderError.unusable(FolderFile.erasureKey, .missing)
        }
        do throws(FolderFinding.Fault) {
            return try FolderSecrets.secret(bytes)
        } catch {
            throw DataFolderError.unusable(FolderFile.erasureKey, error)
        }
    }

    private func change(_ body: (inout FolderManifest) throws(StorageMigrationError) -> Void) throws {
        guard var manifest = FolderManifest.read(in: path) else { throw DataFolderError.notThere }
        try body(&manifest)
        try SecretFile(path: "\(path)/\(FolderFile.manifest)").write(manifest.bytes)
    }

    /// An existing file there was left by an earlier move.
    private func moveIntoPlace() throws {
        let (file, copy) = ("\(path)/\(FolderDatabases.storageName)", "\(copyFolder)/\(FolderDatabases.storageName)")
        let name = FolderDatabases.storageName
        // SQLite does not report if it could not write the log back into a file that it closes.
        guard FileStatus(DatabasePaths.log(of: copy))?.size ?? 0 == 0 else {
            throw DataFolderError.cannotWrite(name, because: "its log could not be written back")
        }
        for left in DatabasePaths.logFiles(of: file) { unlink(left) }
        guard rename(copy, file) == 0 else { throw DataFolderError.writing(name, failedWith: .last) }
        try PrivateFile.syncFolder(path)
        try? FileManager.default.removeItem(atPath: copyFolder)
    }
}
