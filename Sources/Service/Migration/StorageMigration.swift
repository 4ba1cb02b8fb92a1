import Foundation
import Ledger
import LocalFiles
import PostgresClient
import PostgresStorage
import SQLStorage
import StoragePorts
import SystemPackage

/// Moves the main database of a data folder to another storage: `consentlink migrate`.
///
/// A service that runs on the folder continues: links redirect, clicks wait in the spool, and every other write is
/// refused until the move is done. The new database counts once the manifest says so, which is one write to one file.
/// A process that is killed leaves a move that the same command completes (``FolderMigration/State``): it continues the
/// copy if nothing can have changed since, and otherwise begins a new one.
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
    }

    package struct Outcome: Sendable {
        /// What was copied; `nil` if the new database counted already, and only the rest of the move was done.
        package let report: Report?
        /// What to do with the old database.
        package let remainder: String
    }

    let path: String
    let settings: ServiceSettings
    private let inForce: SettingsInForce
    let environment: [String: String]
    /// The move and its new database; `nil` to abandon a move.
    private let asked: (move: FolderMigration, target: StorageChoice)?
    /// Whether only this process's environment has the password.
    private let hasHiddenPassword: Bool
    /// Called when something is durable.
    var reach: @Sendable (MigrationMilestone) throws -> Void = { _ in }

    /// - Parameters:
    ///   - settings: the settings of the folder; `storage` names the present place of its main database.
    ///   - text: the target, as the setting `storage` names it; also `sqlite:` and the data folder. `nil` to abandon a
    ///     move.
    ///   - environment: has the password of a server if no file has it.
    /// - Throws: ``SettingError``, ``StorageMigrationError``, ``DataFolderError``
    package init(_ given: ServiceSettings, to text: String?, environment: [String: String]) throws {
        inForce = try SettingsInForce(given, environment: environment)
        let settings = inForce.settings
        path = settings.dataFolder
        self.settings = settings
        self.environment = environment
        guard let text else {
            (asked, hasHiddenPassword) = (nil, false)
            return
        }
        var name = StorageChoice.withAbsoluteFiles(text)
        if text.hasPrefix("sqlite:") {
            let folder = String(text.dropFirst("sqlite:".count))
            guard ServiceSettings.absolute(folder).path == ServiceSettings.absolute(path).path else {
                throw StorageMigrationError.otherFolder
            }
            name = StorageChoice.embeddedName
        }
        let target = try StorageChoice(
            name, durability: settings.durability, passwordFile: settings.storagePasswordFile, environment: environment)
        let isSwitched = try FolderManifest.read(in: path)?.move?.state == .switched
        guard isSwitched || target.kind != settings.storage.kind else {
            throw StorageMigrationError.sameKind(target.kind)
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
        let move = FolderMigration(from: settings.storageText, to: name, passwordFile: passwordFile, isDone: false)
        asked = (move, target)
    }

    /// Whether a move was begun and does not count yet: then the storage takes no writes.
    package var isOpen: Bool { (try? FolderManifest.read(in: path)?.move?.isDone) == false }

    /// - Parameter note: called for every step, and often.
    /// - Throws: a `StoreFailure`, ``DataFolderError``, ``StorageMigrationError``. If ``isOpen`` then, the move can be
    ///   continued; otherwise the folder is unchanged, or the new database counts.
    package func run(_ note: @escaping @Sendable (Step) -> Void) async throws -> Outcome {
        guard let asked else { throw StorageMigrationError.noMove }
        try requireFolder()
        let lock = try MigrationLock(in: path)
        defer { lock.release() }
        guard try inForce.isUnchanged() else { throw StorageMigrationError.underWay }
        if let remainder = try await completeSwitched() {
            guard asked.target.kind != settings.storage.kind else { return Outcome(report: nil, remainder: remainder) }
        }
        let service = RunningService(folder: path)
        let known = try manifest()
        if service.isRunning { try known.requireSetting(naming: asked.move.from) }
        if let open = known.move, !open.isDone, !open.isSame(as: asked.move) {
            throw StorageMigrationError.otherMove(to: open.to)
        }
        let move = asked.move.following(known.move)
        try await requireDatabases(move, asked.target)
        guard !hasHiddenPassword || !service.isRunning else { throw StorageMigrationError.passwordOfEnvironment }
        if settings.storage.kind == .sqlite { FolderMigration.removeNode(in: path) }
        if service.isReadOnly, known.move?.isDone ?? true { try await service.restart(until: .serving) }
        try change { $0.begin(move) }
        try reach(.begun)
        let claim: MigrationClaim?
        do {
            if service.isRunning {
                note(.holding)
                try await service.restart(until: .readOnly)
            }
            claim = try await claimSource(move, isHeldByService: service.isRunning)
        } catch let failure as any StoreFailure where move.state == .begun {
            // Nothing was copied, so the service may go on as before.
            try? await takeBack(move)
            if service.isRunning { try? await service.restart(until: .serving) }
            throw failure
        }
        let report: Report
        do {
            report = try await copyAndSwitch(asked.target, claim, note)
        } catch {
            await claim?.end()
            throw error
        }
        await claim?.end()
        return Outcome(report: report, remainder: try await finish())
    }

    /// Ends a move that was not completed: the folder keeps its present storage. A move whose new database counts already
    /// is completed instead.
    /// - Returns: `nil` if it was abandoned; otherwise what to do with the old database.
    package func abandon() async throws -> String? {
        guard try FolderManifest.read(in: path) != nil else { throw DataFolderError.notThere }
        let lock = try MigrationLock(in: path)
        defer { lock.release() }
        if let remainder = try await completeSwitched() { return remainder }
        let service = RunningService(folder: path)
        if let open = try manifest().move, !open.isDone {
            try await takeBack(open)
        } else if case .postgres(let server) = settings.storage, try await releaseUnknown(server) {
            return nil
        } else {
            // A process that was killed may have given it up, and not told the service.
            guard service.isReadOnly else { throw StorageMigrationError.noMove }
        }
        if service.isRunning { try await service.restart(until: .serving) }
        return nil
    }

    // MARK: - The copy

    /// Excludes the other nodes from a server's database, and notes the move there; only the service of the folder uses
    /// a file. Notes in the folder from when on a copy can be continued.
    private func claimSource(_ move: FolderMigration, isHeldByService: Bool) async throws -> MigrationClaim? {
        guard case .postgres(let server) = settings.storage, let source = move.database(.source) else {
            if move.state == .begun { try beginCopy(commits: 0) }
            return nil
        }
        let claim = try await MigrationClaim.acquire(
            server, of: try NodeFile(in: path).id, isHeldByService: isHeldByService)
        do {
            let isSame = try await claim.note(source, of: try manifest().folder)
            try reach(.claimed)
            if !isSame || move.state != .copying(commits: claim.commits) { try beginCopy(commits: claim.commits) }
            return claim
        } catch {
            await claim.end()
            throw error
        }
    }

    /// The rows of an earlier copy may have changed in the source since.
    private func beginCopy(commits: Int64) throws {
        try files.removeCopy()
        try change { $0.setMove(.copying(commits: commits)) }
        try reach(.copying)
    }

    private func copyAndSwitch(
        _ target: StorageChoice, _ claim: MigrationClaim?, _ note: @escaping @Sendable (Step) -> Void
    ) async throws -> Report {
        let manifest = try manifest()
        let copy = MigrationCopy(
            source: settings.storage, target: target, folder: path, id: manifest.folder,
            move: manifest.move?.database(.target), key: try erasureKey())
        let comparison = try await copy.run(note)
        try reach(.copied)
        note(.switching)
        if case .postgres(let server) = settings.storage {
            try await ClusterSecrets.of(path, server, given: settings.clusterKey)?
                .writeRing(to: KeyRingFile(in: path, folder: manifest.folder))
            try reach(.ringTaken)
        }
        try await claim?.requireUnchanged()
        if target.kind == .sqlite {
            try files.moveIntoPlace()
            try reach(.inPlace)
        }
        try change { $0.endMove() }
        try reach(.switched)
        return Report(
            rows: comparison.rows,
            ledgers: comparison.ledgers.map {
                Report.Ledger(organization: $0.organization, size: $0.head.size, root: $0.head.root.text)
            })
    }
}
