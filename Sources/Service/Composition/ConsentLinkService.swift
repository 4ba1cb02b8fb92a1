import CoreMetrics
import Foundation
import HTTPAPI
import Identifiers
import Interactions
import Logging
import Messages
import NIOCore
import NIOPosix
import Redirect
import SQL
import ServiceLifecycle
import StoragePorts
import Synchronization
import UseCases

/// The whole service, wired by hand. The types in `Parts` make the parts that they are named after; this type joins
/// them.
package struct ConsentLinkService: ~Copyable {
    private let settings: ServiceSettings
    private let logger: Logger
    private let folder: DataFolder
    /// Whether the main database is moved to another storage.
    private let isMigrating: Bool
    private let migrationTarget: MigrationTarget?
    /// The setting `storage` as it was given.
    private let givenStorage: String
    private let recovery: RecoveryAttempts

    /// Takes the data folder; starts nothing yet.
    package init(_ inForce: SettingsInForce) throws(DataFolderError) {
        settings = inForce.settings
        isMigrating = inForce.isMigrating
        migrationTarget = inForce.migrationTarget
        givenStorage = inForce.givenStorage
        recovery = RecoveryAttempts(handedOver: Self.handedOver)
        logger = Self.logger(settings)
        // Must precede the reading of any key.
        if !CoreFiles.forbid() { logger.warning("core files of this process could not be disabled") }
        try DataFolder.requireUnlessNew(settings)
        folder = try Self.take(inForce)
        folder.log(to: logger)
        if isMigrating { logger.notice("a move of the storage is under way: links work, and other writes are refused") }
        if inForce.isOutdated {
            logger.notice(
                "the storage was moved: set storage to its new place",
                metadata: ["storage": "\(settings.storageText)"])
        }
    }

    /// Makes the data folder of a node that joins others, if it is missing. Must be called first. Waits up to 30
    /// seconds for a database that cannot be reached.
    /// - Throws: ``DataFolderError``, ``SettingError`` or another `StoreFailure`.
    package static func prepareFolder(_ inForce: SettingsInForce) async throws {
        try DataFolder.requireUnlessNew(inForce.settings)
        let timeout = ServerPatience(longest: ServerPatience.standard, logger: logger(inForce.settings))
        try await ClusterSecrets.prepareFolder(inForce.settings, timeout)
    }

    private static func logger(_ settings: ServiceSettings) -> Logger {
        Logger(label: "consentlink") { JSONLogHandler(label: $0, logLevel: settings.logLevel) }
    }

    /// What the program before in this process handed over.
    private static var handedOver: String? { ProcessInfo.processInfo.environment[InheritedSockets.variable] }

    private static func take(_ inForce: SettingsInForce) throws(DataFolderError) -> DataFolder {
        let path = inForce.settings.dataFolder
        let inherited = InheritedLock(handedOver: handedOver)
        let folder = try DataFolder(
            at: path, storage: inForce.settings.storage.kind, inheriting: inherited, now: .now)
        // A move may have begun, or ended, before this process took the folder.
        guard try inForce.isUnchanged() else { throw .inUse(process: nil) }
        if let move = try FolderManifest.read(in: path)?.move, move.isDone, move.target == .sqlite {
            FolderMigration.removeNode(in: path)
        }
        return folder
    }

    /// Serves until SIGTERM or SIGINT: then it stops accepting, finishes the requests in progress, drains the spool and
    /// returns. After SIGUSR2 or SIGHUP the program starts again in this process, without refusing a connection.
    ///
    /// - Parameters:
    ///   - signals: the signals, which are trapped already.
    ///   - reload: checks whether the program could start again.
    ///   - onReady: called once, when all listeners are bound, with their addresses: the public one, the private one,
    ///     and the console's if there is one.
    /// - Throws: ``DataFolderError/unusable(_:)`` if a database turns out to be damaged, at any time.
    package consuming func run(
        until signals: ProcessSignals, reload: ReloadCheck,
        onReady: @escaping @Sendable (ListenAddress, ListenAddress, ListenAddress?) -> Void
    ) async throws {
        let storage = settings.storage.kind
        do {
            try await serve(until: signals, reload: reload, onReady: onReady)
        } catch {
            throw FolderDatabases.damage(error, storage) ?? error
        }
    }

    private consuming func serve(
        until signals: ProcessSignals, reload: ReloadCheck,
        onReady: @escaping @Sendable (ListenAddress, ListenAddress, ListenAddress?) -> Void
    ) async throws {
        let (libraries, times) = (Self.prepareProcess(), RequestTimes())
        let sockets = try SocketParts(settings: settings, logger: logger)
        let publicOrigin = try settings.publicOrigin
        let log = LifecycleLog(logger: logger)
        log.started(settings, folder: folder.id)

        let stored = try await StorageParts(
            folder: folder, settings: settings, isReadOnly: isMigrating, publicOrigin: publicOrigin, recovery: recovery,
            logger: logger)
        let ledgers = try await LedgerParts(folder: folder, stored: stored, logger: logger)
        try await stored.followRules()
        if !isMigrating { noteOpened(isUnavailable: stored.isUnavailable) }

        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads ?? System.coreCount)
        let recording = try await RecordingParts(
            settings: settings, stored: stored, limit: sockets.publicLimit, times: times, group: group, logger: logger)
        let useCases = try await UseCaseParts(
            settings: settings, folder: folder, stored: stored, ledgers: ledgers, recording: recording,
            publicOrigin: publicOrigin, logger: logger)
        let (signature, departure) = (folder.signature(), Departure())
        let parts = ServingParts(
            settings: settings, publicOrigin: publicOrigin, sockets: sockets, stored: stored, ledgers: ledgers,
            recording: recording, useCases: useCases, group: group, logger: logger)
        let listeners = try await ListenerParts(
            of: parts, times: times, libraries: libraries, departure: departure,
            onReady: { [migrationTarget, logger] addresses in
                if let migrationTarget { migrationTarget.sign(signature, logger) } else { signature?.sign(.serving) }
                onReady(addresses.publicListener, addresses.privateListener, addresses.console)
            })

        let stop = StopSignal(
            signals: signals, reload: reload, of: parts,
            privateConnections: listeners.privateListener.connections, departure: departure,
            lock: folder.lockForNextImage())
        defer { stop.lastResort.cancel() }
        signals.beginServing()
        let background: [any Service] =
            stored.services(settings: settings, ledgers: ledgers, recording: recording, logger: logger)
            + ledgers.services + useCases.services + [FreedMemoryService()]
        do {
            try await ServiceGroup(
                configuration: .consentLink(
                    background + [ledgers.opening(listeners.privateListener.listener)]
                        + [listeners.publicListener.listener, log] + listeners.console.listeners,
                    until: stop, logger: logger)
            ).run()
        } catch  where stop.isAsked && ServerPatience.isOfEnd(error) {
            // What the services had not done is not lost.
        }
        try await Self.close(stored, finishing: isMigrating ? nil : (ledgers, recording), isRestart: stop.isRestart)
        log.stopped()
        stop.lastResort.cancel()
        try stop.replaceProcess()
        // The event loops end with the process: closing channels may still call them.
    }

    /// Must be called when the databases are open.
    /// - Parameter isUnavailable: whether the main one cannot be used, and is therefore not open.
    private borrowing func noteOpened(isUnavailable: Bool) {
        noteSetting()
        // Last: it may write the manifest, too, after this returns.
        if !isUnavailable { endMove() }
    }

    /// Removes what moves have left, and completes the last one if its process was killed.
    private borrowing func endMove() {
        let path = settings.dataFolder
        do {
            let files = MigrationFiles(folder: path)
            try files.removeCopy()
            guard let manifest = try FolderManifest.read(in: path) else { return }
            // The old file of a move to the server, or a copy that came to its place in a move that was given up.
            if manifest.storage == .postgres { try files.removeDatabase() }
            guard let move = manifest.move, move.state == .switched else { return }
            MigrationEnd(
                folder: path, id: folder.id, move: move, durability: settings.durability,
                passwordFile: settings.storagePasswordFile, environment: ProcessInfo.processInfo.environment
            ).run(logger)
        } catch {
            logger.error(
                "files of a moved database are left in the data folder, and may name people who are erased",
                metadata: ["error": "\(error)"])
        }
    }

    /// A full disk must not keep the service from starting. Without the note, a move does not compare its settings.
    private borrowing func noteSetting() {
        do {
            try StorageSettingNote(folder: settings.dataFolder).write(givenStorage)
        } catch {
            logger.warning("the setting storage is not noted in the manifest", metadata: ["error": "\(error)"])
        }
    }
}

extension ConsentLinkService {
    /// Must be called once in a process, before a library makes its first metric.
    private static func prepareProcess() -> LibraryMetrics {
        MallocTuning.apply()
        AgentMeaning.prepare()
        let libraries = LibraryMetrics()
        MetricsSystem.bootstrap(libraries)
        return libraries
    }

    /// Ends the use of the databases, also where something fails before.
    /// - Parameter finishing: what has something to store or to sign; `nil` if nothing may be written.
    private static func close(
        _ stored: StorageParts, finishing: (LedgerParts, RecordingParts)?, isRestart: Bool
    ) async throws {
        var noteSigned: () throws -> Void = {}
        do {
            if let (ledgers, recording) = finishing, stored.watch.check() == nil {
                noteSigned = try await finish(ledgers, recording, stored, isRestart: isRestart)
            }
        } catch {
            try? stored.close()
            throw error
        }
        try stored.close()
        if stored.watch.check() == nil { try noteSigned() }
        // If the folder is no longer the service's, what was acknowledged may be lost with it: the process fails.
        if !isRestart { try stored.watch.require() }
    }

    /// Stores what is in the spool and signs the new entries, as far as that is quickly done, and tells the other nodes
    /// what stays in the spool for the next start.
    /// - Returns: the same as ``LedgerParts/finish()``; at a restart it does not throw.
    private static func finish(
        _ ledgers: LedgerParts, _ recording: RecordingParts, _ stored: StorageParts, isRestart: Bool
    ) async throws -> () throws -> Void {
        let noteSigned: Result<() throws -> Void, any Error>
        do {
            noteSigned = .success(try await drain(ledgers, recording, mayFail: isRestart || stored.isUnreachable))
        } catch {
            noteSigned = .failure(error)
        }
        // The last report of this node says how many clicks wait for its next start, after what was drained.
        stored.shared?.set(spooled: recording.writer.counters.held)
        await stored.shared?.leave()
        guard isRestart else { return try noteSigned.get() }
        let note = try noteSigned.get()
        return { try? note() }
    }

    /// - Parameter mayFail: whether the caller expects that something stays in the spool.
    private static func drain(
        _ ledgers: LedgerParts, _ recording: RecordingParts, mayFail: Bool
    ) async throws -> () throws -> Void {
        guard ledgers.checker.checked.isOpen else { return {} }
        do {
            try await recording.drain.finish(within: .milliseconds(200))
        } catch StorageError.full {
            // The clicks stay in the spool for the next start.
        } catch {
            guard mayFail || ServerPatience.isOfEnd(error) else { throw error }
        }
        return await ledgers.finish()
    }
}

extension ServiceGroupConfiguration {
    /// Runs `services` until `stop` returns.
    fileprivate static func consentLink(
        _ services: [any Service], until stop: StopSignal, logger: Logger
    ) -> ServiceGroupConfiguration {
        var quiet = logger
        // At level `debug` a service group logs the names of all services at each step.
        quiet.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .named($0) } + [.named(stop, atItsEnd: .gracefullyShutdownGroup)], logger: quiet)
        configuration.maximumGracefulShutdownDuration = Duration.seconds(4)
        // Without a longest cancellation, whose end would be a crash: ``LastResort`` is the limit.
        return configuration
    }
}
