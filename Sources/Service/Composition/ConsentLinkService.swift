import Consent
import Counting
import Cryptography
import Foundation
import Hummingbird
import HummingbirdCore
import Identifiers
import Ledger
import Logging
import Messages
import NIOCore
import NIOPosix
import Organizations
import Redirect
import SQLiteStorage
import ServiceLifecycle
import TrackingIDs
import UnixSignals

/// The whole service, wired by hand: this file is where every part meets the others, and no other file does.
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
        folder = try DataFolder(at: settings.dataFolder, now: .now)
        folder.log(to: logger)
    }

    /// Serves until SIGTERM or SIGINT: then it stops accepting, finishes what is in flight, drains the spool and
    /// returns.
    ///
    /// - Parameter onReady: is called once, when both listeners are bound, with their addresses.
    package consuming func run(onReady: @escaping @Sendable (ListenAddress, ListenAddress) -> Void) async throws {
        Heap.keepSmall()
        let shares = try DescriptorShares(limit: FileDescriptors.raise())
        let inherited = InheritedSockets(environment: ProcessInfo.processInfo.environment)
        if inherited.links == nil { try settings.listen.check("listen") }
        if inherited.api == nil { try settings.apiListen.check("api-listen") }
        let logger = logger
        let monitor = ClockMonitor(ServiceClock(), logger: logger)
        let clock: @Sendable () -> Timestamp = { [clock = monitor.clock] in clock.now() }
        let operatorKey = try folder.operatorKey()
        let (ring, ringFile) = try folder.keyRing()
        let publicOrigin = try settings.publicURL ?? PublicOrigin("http://\(settings.listen)")

        let log = LifecycleLog(logger: logger)
        log.started(settings, folder: folder.id)

        let gates = OrganizationGates()
        let table = LinkTable(gates: gates)
        let erasureKey = try folder.erasureKey()
        let storage = try DataFolder.naming {
            try SQLiteStorage.open(
                folder: folder.path, erasureKey: erasureKey, ledgerHost: publicOrigin.authority, observer: gates,
                messageObserver: table, clock: clock)
        }
        monitor.begin(notBefore: try storage.latestTime())
        try await folder.confirm(storage, now: clock())
        let signer = CheckpointSigner(
            store: storage.ledgers, seed: try folder.ledgerKey(), files: try folder.checkpointFiles(), logger: logger)
        if storage.isCopy { signer.warnOfCopy() }
        storage.ledgers.onBreak { reason in
            gates.gate(of: reason.organization).close()
            reason.log(to: logger)
        }
        let ledgers = try await storage.ledgers.begin(at: clock())
        let (linksOpen, note) = (Latch(), FingerprintNote(path: folder.path))
        let checker = LedgerChecker(ledgers: storage.ledgers, now: clock, logger: logger) { checker in
            // Readers first.
            guard await linksOpen.wait() else { throw CancellationError() }
            logger.info("links redirect; the ledgers are checked before anything else")
            try await signer.begin(ledgers) { try await checker.checkAtStart() }
            // A key that signed none of the checkpoints may be a foreign one, and would be refused as the right one then.
            guard !storage.ledgers.breaks.contains(where: { $0.finding == .checkpoint }) else { return }
            do { try note.write() } catch { logger.warning("the fingerprints of the keys cannot be noted") }
        }
        try await checker.checkSettings()
        try await storage.organizations.loadRecordingEnds(at: clock())

        let quotas = QuotaKeeper(
            organizations: storage.organizations, gates: gates,
            stored: { [interactions = storage.interactions] in try await interactions.count(in: $0) })
        try await quotas.load()

        let consents = CountedConsentStore(storage.consents)
        let decisions = CountedDecisionLog(storage.decisions)
        let times = RequestTimes()
        let retentionLag = RetentionLag(now: clock)
        let reportTally = DeviceReportTally()

        let report: @Sendable (RedirectFault) -> Void = { $0.log(to: logger) }
        let keys = CurrentKeyRing(ring)
        let directory = LinkDirectory(store: storage.messages, table: table)
        let commits = DrainSignal()
        let writer = SpoolWriter(spool: storage.spool, onCommit: { _ in commits.raise() }, report: report)
        writer.tally.begin(with: storage.spool.leftover)
        let drain = Drain(
            spool: storage.spool, writer: writer, commits: commits, directory: directory,
            organizations: storage.organizations, consent: storage.consents, interactions: storage.interactions,
            now: clock, report: report)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads ?? System.coreCount)
        let linkLimit = ConnectionLimit(shares.links)
        if shares.isScarce {
            logger.warning(
                "the limit of open files leaves room for few readers at once: raise it (LimitNOFILE=, ulimit -n)",
                metadata: ["connections": "\(shares.links)", "usual": "\(ConnectionLimit.usual)"])
        }
        let redirect = try await RedirectService(
            group: group, directory: directory, keys: keys, writer: writer, limit: linkLimit, clock: clock,
            report: report)
        let apiLimit = ConnectionLimit(shares.api)
        let apiConnections = try await PrivateConnections(group: group, limit: apiLimit)

        let keeper = MessageKeeper(
            messages: storage.messages, directory: directory, publicOrigin: publicOrigin,
            linkLifetimeInDays: settings.linkLifetimeInDays, now: clock)
        let composer = Composer(
            consent: consents, decisions: decisions, keys: keys,
            linkLifetimeInDays: settings.linkLifetimeInDays, now: clock)
        let keyRingKeeper = KeyRingKeeper(
            current: keys, file: ringFile, linkLifetimeInDays: settings.linkLifetimeInDays)
        let requests = RepeatableRequests(
            log: storage.requests, marker: try RequestMarker(erasureKey: erasureKey), now: clock)
        let health = Health {
            let spooling = writer.failure.map { "clicks cannot be recorded: \($0)" }
            let stores = [storage.status.impediment, storage.spool.status.impediment, spooling, monitor.impediment]
                .compactMap { $0 }
            return stores + signer.impediments
        }
        let metrics =
            [
                redirect.metrics, writer, decisions, consents, reportTally, times, ReadinessMetrics(health: health),
                ProcessMetrics(), StorageMetrics(dataFolder: folder.path, backups: settings.backupPath), retentionLag,
                signer, checker, monitor, apiConnections,
            ] as [any MetricSource]
        let proofs = LedgerProofs(ledgers: storage.ledgers, signer: signer)
        let interactions = LinkedInteractions(interactions: storage.interactions, messages: storage.messages)
        let routes =
            OrganizationRoutes(
                organizations: storage.organizations, quotas: quotas, signer: signer, now: clock
            ).routes
            + KeyRoutes(organizations: storage.organizations, now: clock).routes
            + ConsentRoutes(
                organizations: storage.organizations, consent: consents, requests: requests, drain: drain, now: clock,
                moment: { monitor.clock.moment }
            ).routes
            + MessageRoutes(
                organizations: storage.organizations, keeper: keeper, decisions: storage.decisions,
                interactions: storage.interactions, requests: requests, drain: drain
            ).routes
            + PayloadRoutes(
                organizations: storage.organizations, keeper: keeper, composer: composer, requests: requests
            ).routes
            + RewriteRoutes(
                organizations: storage.organizations, rewriter: Rewriter(keeper: keeper, composer: composer),
                requests: requests
            ).routes
            + DecisionRoutes(
                decisions: storage.decisions, consent: storage.consents, interactions: interactions, proofs: proofs,
                drain: drain
            ).routes
            + LedgerRoutes(ledgers: storage.ledgers, signer: signer, proofs: proofs).routes
            + AuditRoutes(
                ledgers: storage.ledgers, signer: signer, decisions: storage.decisions, consent: storage.consents,
                interactions: interactions, drain: drain, now: clock
            ).routes
            + InteractionRoutes(interactions: interactions, drain: drain).routes
            + RecipientExportRoutes(
                organizations: storage.organizations, consent: storage.consents, decisions: storage.decisions,
                interactions: interactions, drain: drain, now: clock
            ).routes
            + OperatorRoutes(
                keeper: keyRingKeeper, keys: keys, messages: storage.messages, organizations: storage.organizations,
                consent: storage.consents, now: clock
            ).routes
            + BackupRoutes(
                keeper: BackupKeeper(
                    storage: storage, dataFolder: folder.path,
                    backups: settings.backupPath, now: clock)
            ).routes
            + health.routes
            + MetricsPage(sources: metrics).routes

        let lastMinute = clock().advanced(byMilliseconds: -ReportMemory.span)
        let reports =
            try await storage.interactions.reports(since: lastMinute) + drain.undrainedReports(since: lastMinute)
        let gate = try TrackingIDGate(keys: keys)
        let opens = OpenPixelRoutes(
            gate: gate, directory: directory, writer: writer, rate: redirect.rate, tally: redirect.pictures, now: clock)
        let intake = DeviceReportIntake(
            gate: gate, directory: directory, writer: writer,
            memory: ReportMemory(known: reports), now: clock, tally: reportTally)

        let withdrawals = WithdrawalRoutes(
            gate: gate, directory: directory, organizations: storage.organizations, consent: consents, now: clock)

        let doors = BothDoors(onReady)
        let apiRouter = Router.privateAPI(
            routes, Authenticator(operatorKey: operatorKey.digest, organizations: storage.organizations), BodyBudget(),
            WorkPool(threads: max(2, System.coreCount)), times, quotas, AdministrativeLog(logger: logger))
        let api = Listener(
            address: settings.apiListen, inherited: inherited.api,
            connection: PrivateChannel(
                connections: apiConnections, responder: apiRouter.buildResponder().serving(logger)),
            limit: apiLimit, group: group, logger: logger, onOpen: { doors.open(.api, $0) },
            quiesce: apiConnections.quiesce)
        let linkRouter = Router.publicListener(DeviceRoutes(intake: intake), opens, withdrawals, health, times)
        let links = Listener(
            address: settings.listen, inherited: inherited.links,
            connection: PublicChannel(redirect: redirect, responder: linkRouter.buildResponder().serving(logger)),
            limit: linkLimit, group: group, logger: logger,
            onOpen: { channel in
                doors.open(.links, channel)
                linksOpen.open()
            }, quiesce: redirect.quiesce)

        // What judges by the ledgers or enters into them waits until they are checked.
        let waiting = { (service: any Service) in AfterStartCheck(checked: checker.checked, service: service) }
        let services: [any Service] = [
            monitor, waiting(DrainService(drain: drain)),
            FullDiskService(
                storage: storage, writer: writer,
                floor: DiskFloor(folder: folder.path, mebibytes: settings.diskFloorInMebibytes), logger: logger),
            waiting(
                RetentionService(
                    organizations: storage.organizations, retention: storage.retention, lag: retentionLag,
                    now: { monitor.clock.earliest }, logger: logger)),
            waiting(SignerService(signer: signer)), checker, QuotaService(quotas: quotas), waiting(api), links, log,
        ]
        let stop = ServiceGroupConfiguration.ServiceConfiguration(
            service: StopSignal(
                signals: await UnixSignalsSequence(trapping: .sigterm, .sigint), redirect: redirect, api: apiConnections
            ),
            successTerminationBehavior: .gracefullyShutdownGroup)
        var lifecycle = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) } + [stop], logger: logger.withoutDebugging)
        lifecycle.maximumGracefulShutdownDuration = Duration.seconds(6)
        lifecycle.maximumCancellationDuration = Duration.seconds(1)
        try await ServiceGroup(configuration: lifecycle).run()
        if checker.checked.isOpen {
            try await drain.finish(within: .milliseconds(200))
            await signer.finish()
        }
        try storage.close()
        log.stopped()
        // The event loops end with the process. Ended before, they would be asked by what is just finishing on them.
    }
}

extension Logger {
    /// At `debug` a service group prints every service with all that is in it.
    fileprivate var withoutDebugging: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .info)
        return logger
    }
}
