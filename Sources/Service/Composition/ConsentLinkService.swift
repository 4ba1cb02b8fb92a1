import Consent
import Counting
import Cryptography
import Hummingbird
import HummingbirdCore
import Identifiers
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
        folder = try DataFolder(at: settings.dataFolder)
    }

    /// Serves until SIGTERM or SIGINT: then it stops accepting, finishes what is in flight, drains the spool and
    /// returns.
    ///
    /// - Parameter onReady: is called once, when both listeners are bound, with their addresses.
    package consuming func run(onReady: @escaping @Sendable (ListenAddress, ListenAddress) -> Void) async throws {
        Heap.keepSmall()
        try settings.listen.check()
        try settings.apiListen.check()
        let clock: @Sendable () -> Timestamp = { .now }
        let logger = logger
        let operatorKey = try folder.operatorKey()
        let (ring, ringFile) = try folder.keyRing(now: clock())
        let publicOrigin = try settings.publicURL ?? PublicOrigin("http://\(settings.listen)")

        let gates = OrganizationGates()
        let erasureKey = try folder.erasureKey()
        let storage = try SQLiteStorage.open(
            folder: folder.path, erasureKey: erasureKey, ledgerHost: publicOrigin.authority, observer: gates,
            clock: clock)
        let signer = CheckpointSigner(
            store: storage.ledgers, seed: try folder.ledgerKey(), files: try folder.checkpointFiles(), logger: logger)
        if storage.isCopy { signer.warnOfCopy() }
        try await signer.begin(at: clock())
        for organization in try await storage.organizations.all() {
            gates.gate(of: organization.id).honorsGPC = organization.honorsGPC
        }
        try await storage.organizations.loadRecordingEnds(at: clock())

        let consents = CountedConsentStore(storage.consents)
        let decisions = CountedDecisionLog(storage.decisions)
        let times = RequestTimes()
        let reportTally = DeviceReportTally()

        let report: @Sendable (RedirectFault) -> Void = { $0.log(to: logger) }
        let keys = CurrentKeyRing(ring)
        let directory = LinkDirectory(store: storage.messages, gates: gates)
        let commits = DrainSignal()
        let writer = SpoolWriter(spool: storage.spool, onCommit: { _ in commits.raise() }, report: report)
        writer.tally.begin(with: storage.spool.leftover)
        let drain = Drain(
            spool: storage.spool, writer: writer, commits: commits, directory: directory,
            organizations: storage.organizations, consent: storage.consents, interactions: storage.interactions,
            now: clock, report: report)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads ?? System.coreCount)
        let connections = FileDescriptors.raise(forConnections: ConnectionLimit.usual)
        if connections < ConnectionLimit.usual {
            logger.warning("few file descriptors, few connections", metadata: ["connections": "\(connections)"])
        }
        let redirect = try await RedirectService(
            group: group, directory: directory, keys: keys, writer: writer, limit: ConnectionLimit(connections),
            clock: clock, report: report)

        let keeper = MessageKeeper(
            messages: storage.messages, directory: directory, publicOrigin: publicOrigin,
            linkLifetimeInDays: settings.linkLifetimeInDays, now: clock)
        let composer = Composer(
            consent: consents, decisions: decisions, keys: keys,
            linkLifetimeInDays: settings.linkLifetimeInDays, now: clock)
        let keyRingKeeper = KeyRingKeeper(
            current: keys, file: ringFile, messages: storage.messages,
            linkLifetimeInDays: settings.linkLifetimeInDays)
        let requests = RepeatableRequests(
            log: storage.requests, marker: try RequestMarker(erasureKey: erasureKey), now: clock)
        let health = Health {
            let spooling = writer.failure.map { "clicks cannot be recorded: \($0)" }
            let stores = [storage.status.impediment, storage.spool.status.impediment, spooling].compactMap { $0 }
            return stores + signer.impediments
        }
        let metrics =
            [
                redirect.metrics, writer, decisions, consents, reportTally, times, ReadinessMetrics(health: health),
                ProcessMetrics(), signer,
            ] as [any MetricSource]
        let proofs = LedgerProofs(ledgers: storage.ledgers, signer: signer)
        let interactions = LinkedInteractions(interactions: storage.interactions, messages: storage.messages)
        let routes =
            OrganizationRoutes(organizations: storage.organizations, gates: gates, now: clock).routes
            + KeyRoutes(organizations: storage.organizations, now: clock).routes
            + ConsentRoutes(
                organizations: storage.organizations, consent: consents, requests: requests, drain: drain, now: clock
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
        let opens = OpenPixelRoutes(gate: gate, directory: directory, writer: writer, now: clock)
        let intake = DeviceReportIntake(
            gate: gate, directory: directory, writer: writer,
            memory: ReportMemory(known: reports), now: clock, tally: reportTally)

        let withdrawals = WithdrawalRoutes(
            gate: gate, directory: directory, organizations: storage.organizations, consent: consents, now: clock)

        let doors = BothDoors(onReady)
        let api = Application(
            router: Router.privateAPI(
                routes,
                Authenticator(operatorKey: operatorKey.digest, organizations: storage.organizations), times),
            configuration: .init(address: .hostname(settings.apiListen.host, port: settings.apiListen.port)),
            onServerRunning: { doors.open(.api, $0) }, eventLoopGroupProvider: .shared(group), logger: logger)
        let links = Application(
            router: Router.publicListener(DeviceRoutes(intake: intake), opens, withdrawals, health, times),
            server: HTTPServerBuilder { PublicChannel(redirect: redirect, responder: $0) },
            configuration: .init(
                address: .hostname(settings.listen.host, port: settings.listen.port), backlog: 4096),
            onServerRunning: { doors.open(.links, $0) }, eventLoopGroupProvider: .shared(group), logger: logger)

        var lifecycle = ServiceGroupConfiguration(
            services: [
                DrainService(drain: drain), FullDiskService(storage: storage, writer: writer),
                RetentionService(
                    organizations: storage.organizations, retention: storage.retention, now: clock, logger: logger),
                SignerService(signer: signer), api, links,
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        lifecycle.maximumGracefulShutdownDuration = Duration.seconds(6)
        lifecycle.maximumCancellationDuration = Duration.seconds(1)
        try await ServiceGroup(configuration: lifecycle).run()
        try await drain.finish(within: .seconds(1))
        await signer.finish()
        try storage.close()
        // The event loops end with the process. Ended before, they would be asked by what is just finishing on them.
    }
}
