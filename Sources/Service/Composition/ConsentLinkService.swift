import CoreMetrics
import HTTPAPI
import Interactions
import Logging
import NIOCore
import NIOPosix
import Redirect
import ServiceLifecycle

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
        logger = ProcessLog.begin(settings.logLevel)
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
        if !isMigrating { folderAtStart.databasesOpened(isUnavailable: stored.isUnavailable) }

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
            // Work that the services had not done is not lost.
        }
        try await OrderlyEnd(of: stored, isMigrating ? nil : (ledgers, recording), isRestart: stop.isRestart).run()
        log.stopped()
        stop.lastResort.cancel()
        try stop.replaceProcess()
        // The event loops end with the process: closing channels may still call them.
    }

    private var folderAtStart: FolderAtStart {
        FolderAtStart(settings: settings, folder: folder.id, givenStorage: givenStorage, logger: logger)
    }

    /// Must be called once in a process, before a library makes its first metric.
    private static func prepareProcess() -> LibraryMetrics {
        MallocTuning.apply()
        // Its threads begin with the first use. Later, a limit that other processes share may give none, which ends it.
        _ = NIOThreadPool.singleton
        AgentMeaning.prepare()
        let libraries = LibraryMetrics()
        MetricsSystem.bootstrap(libraries)
        return libraries
    }
}
