import CoreMetrics
import HTTPAPI
import Identifiers
import Interactions
import Logging
import Messages
import NIOCore
import NIOPosix
import Redirect
import ServiceLifecycle
import UnixSignals
import UseCases

/// The whole service, wired by hand. The parts beside this file make what they are named after; here they meet.
package struct ConsentLinkService: ~Copyable {
    private let settings: ServiceSettings
    private let logger: Logger
    private let folder: DataFolder

    /// Takes the data folder; nothing is started yet.
    package init(_ settings: ServiceSettings) throws(DataFolderError) {
        self.settings = settings
        let level = settings.logLevel
        logger = Logger(label: "consentlink") { JSONLogHandler(label: $0, logLevel: level) }
        // Before any key is read.
        if !CoreFiles.forbid() { logger.warning("a core file of this process cannot be ruled out") }
        try DataFolder.requireUnlessNew(settings)
        folder = try DataFolder(at: settings.dataFolder, storage: settings.storage.kind, now: .now)
        folder.log(to: logger)
    }

    /// Serves until SIGTERM or SIGINT: then it stops accepting, finishes what is in flight, drains the spool and
    /// returns.
    ///
    /// - Parameter onReady: is called once, when both listeners are bound, with their addresses.
    package consuming func run(onReady: @escaping @Sendable (ListenAddress, ListenAddress) -> Void) async throws {
        MallocTuning.apply()
        AgentMeaning.prepare()
        // Once in a process, and before the first metric of a library is made.
        let libraries = LibraryMetrics()
        MetricsSystem.bootstrap(libraries)
        let sockets = try SocketParts(settings: settings, logger: logger)
        let publicOrigin = try settings.publicURL ?? PublicOrigin("http://\(settings.listen)")
        let log = LifecycleLog(logger: logger)
        log.started(settings, folder: folder.id)

        let stored = try await StorageParts(
            folder: folder, choice: settings.storage, publicOrigin: publicOrigin, logger: logger)
        let ledgers = try await LedgerParts(folder: folder, stored: stored, logger: logger)
        try await stored.followRules()

        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads ?? System.coreCount)
        let recording = try await RecordingParts(
            stored: stored, limit: sockets.linkLimit, group: group, logger: logger)
        let useCases = try await UseCaseParts(
            settings: settings, folder: folder, stored: stored, ledgers: ledgers, recording: recording,
            publicOrigin: publicOrigin)
        let health = Health(stored: stored, ledgers: ledgers, recording: recording)
        let requestTimes = RequestTimes()
        let doors = ListenersReady(onReady)
        let links = try await PublicListenerParts(
            sockets: sockets, stored: stored, recording: recording, useCases: useCases, health: health,
            times: requestTimes, group: group, logger: logger,
            onOpen: { channel in
                doors.open(.links, channel)
                ledgers.linksOpen.open()
            })
        let api = try await PrivateListenerParts(
            sockets: sockets, stored: stored, ledgers: ledgers, recording: recording, useCases: useCases,
            health: health, times: requestTimes, reports: links.reports,
            libraries: [libraries, EventLoopLag(of: group)], settings: settings, group: group, logger: logger,
            onOpen: { doors.open(.api, $0) })

        let stop = StopSignal(
            signals: await UnixSignalsSequence(trapping: .sigterm, .sigint), redirect: recording.redirect,
            api: api.connections)
        let background: [any Service] =
            stored.services(settings: settings, ledgers: ledgers, recording: recording, logger: logger)
            + ledgers.services + useCases.services
        try await ServiceGroup(
            configuration: .consentLink(
                background + [ledgers.waiting(api.listener), links.listener, log], until: stop, logger: logger)
        ).run()

        if ledgers.checker.checked.isOpen {
            try await recording.drain.finish(within: .milliseconds(200))
            await ledgers.signer.finish()
        }
        try stored.close()
        log.stopped()
        // The event loops end with the process: closing channels may still call them.
    }
}

extension ServiceGroupConfiguration {
    /// Runs `services` until `stop` ends.
    fileprivate static func consentLink(
        _ services: [any Service], until stop: StopSignal, logger: Logger
    ) -> ServiceGroupConfiguration {
        let stop = ServiceConfiguration(
            service: stop, successTerminationBehavior: .gracefullyShutdownGroup)
        var quiet = logger
        // At `debug` a service group prints every service with all its members.
        quiet.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) } + [stop], logger: quiet)
        configuration.maximumGracefulShutdownDuration = Duration.seconds(4)
        configuration.maximumCancellationDuration = Duration.seconds(1)
        return configuration
    }
}
