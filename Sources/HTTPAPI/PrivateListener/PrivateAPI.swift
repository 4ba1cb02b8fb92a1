package import Consent
package import Counting
import Hummingbird
package import Identifiers
package import Logging
package import Organizations
package import Redirect
package import StoragePorts
package import TrackingIDs
package import UseCases

/// The private listener: all requests that list, search, compose or change something.
package struct PrivateAPI {
    /// The use cases that carry out its requests.
    package struct UseCases: Sendable {
        let recording: ConsentRecording
        let requesting: ConsentRequesting
        let catalog: MessageCatalog
        let composer: Composer
        let rewriter: Rewriter
        let requests: IdempotentRequests
        let keyRotation: KeyRotation
        let quotas: QuotaEnforcer
        let interactions: LinkedInteractions
        let signer: CheckpointSigner
        let proofs: LedgerProofs
        let backups: any BackupMaking
        let nodes: (any NodeRegistry)?
        let peers: PeerSeal?
        let directory: LinkDirectory
        let watch: FeedWatch
        let endpointSecrets: EndpointSecrets
        let deliveries: EndpointDeliveries
        let accesses: PersonAccess

        package init(
            recording: ConsentRecording, requesting: ConsentRequesting, catalog: MessageCatalog, composer: Composer,
            rewriter: Rewriter,
            requests: IdempotentRequests, keyRotation: KeyRotation, quotas: QuotaEnforcer,
            interactions: LinkedInteractions,
            signer: CheckpointSigner, proofs: LedgerProofs, backups: any BackupMaking,
            nodes: (any NodeRegistry)?, peers: PeerSeal?, directory: LinkDirectory, watch: FeedWatch,
            endpointSecrets: EndpointSecrets, deliveries: EndpointDeliveries, accesses: PersonAccess
        ) {
            self.recording = recording
            self.requesting = requesting
            self.catalog = catalog
            self.composer = composer
            self.rewriter = rewriter
            self.requests = requests
            self.keyRotation = keyRotation
            self.quotas = quotas
            self.interactions = interactions
            self.signer = signer
            self.proofs = proofs
            self.backups = backups
            self.nodes = nodes
            self.peers = peers
            self.directory = directory
            self.watch = watch
            self.endpointSecrets = endpointSecrets
            self.deliveries = deliveries
            self.accesses = accesses
        }
    }

    private let stores: Stores
    private let useCases: UseCases
    private let drain: Drain
    private let keys: CurrentKeyRing
    private let now: @Sendable () -> Timestamp
    private let recordingTime: @Sendable () -> RecordingTime
    private let isServed: Bool
    private let makeSignInLink: @Sendable (Timestamp) async throws -> SignInLink?
    private let noteKeyUse: @Sendable (APIKey) -> Void

    /// - Parameters:
    ///   - drain: requests that read interactions wait for it, so that a click that was answered is among them.
    ///   - now: the service time.
    ///   - recordingTime: the service time, and when the service's clock was wrong before.
    ///   - isServed: whether this node answers other clients than nodes. A node that does not can still be backed up.
    ///   - makeSignInLink: makes a link that signs the operator in to the console once; returns `nil` if there is no
    ///     console.
    ///   - noteKeyUse: called for each use of a key; must return at once.
    package init(
        _ stores: Stores, _ useCases: UseCases, drain: Drain, keys: CurrentKeyRing,
        now: @escaping @Sendable () -> Timestamp, recordingTime: @escaping @Sendable () -> RecordingTime,
        isServed: Bool = true,
        makeSignInLink: @escaping @Sendable (Timestamp) async throws -> SignInLink? = { _ in nil },
        noteKeyUse: @escaping @Sendable (APIKey) -> Void = { _ in }
    ) {
        self.stores = stores
        self.useCases = useCases
        self.drain = drain
        self.keys = keys
        self.now = now
        self.recordingTime = recordingTime
        self.isServed = isServed
        self.makeSignInLink = makeSignInLink
        self.noteKeyUse = noteKeyUse
    }

    /// Answers requests.
    ///
    /// - Parameters:
    ///   - operatorKey: the key of the operator, who may do everything.
    ///   - metrics: the content of `/metrics`.
    ///   - workThreads: how many requests that need much processor time run at once.
    package func responder(
        operatorKey: APIKeyDigest, health: Health, metrics: [any MetricSource], times: RequestTimes,
        workThreads: Int, logger: Logger, wallClock: @escaping @Sendable () -> Timestamp
    ) -> Responder {
        let router = router(
            operatorKey: operatorKey, health: health, metrics: metrics, times: times,
            bodies: BodyBudget(), workThreads: workThreads)
        return router.buildResponder().serving(logger, .answered, wallClock: wallClock)
    }

    /// As ``responder(operatorKey:health:metrics:times:workThreads:logger:wallClock:)``, without connections.
    ///
    /// - Parameter bodies: the memory budget of request bodies.
    func router(
        operatorKey: APIKeyDigest, health: Health, metrics: [any MetricSource], times: RequestTimes,
        bodies: BodyBudget, workThreads: Int
    ) -> Router<PrivateContext> {
        let served = isServed ? writing + reading + operating : BackupRoutes(backups: useCases.backups).routes
        let routes = served + peers + health.routes + MetricsPage(sources: metrics).routes
        let router = Router(context: PrivateContext.self)
        router.add(middleware: RequestTimesMiddleware(times: times))
        router.add(middleware: ProblemMiddleware(requestIDs: .answered))
        if !isServed { router.add(middleware: RoleMiddleware()) }
        router.add(
            routes,
            admission: Admission(
                authenticator: Authenticator(
                    operatorKey: operatorKey, keys: stores.organizations, noteUse: noteKeyUse),
                quotas: useCases.quotas, organizations: stores.organizations),
            bodies: bodies, pool: WorkPool(threads: workThreads), log: AdministrativeLog())
        times.expect(router.routes.map(\.path.description))
        return router
    }

    /// The routes for backends: organizations, keys, consent, messages, payloads.
    private var writing: [Route] {
        OrganizationRoutes(
            organizations: stores.organizations, quotas: useCases.quotas,
            creator: OrganizationCreator(
                organizations: stores.organizations, quotas: useCases.quotas, signer: useCases.signer),
            minimumPauseInDays: useCases.requesting.minimumPauseInDays, now: now
        ).routes
            + KeyRoutes(organizations: stores.organizations, now: now).routes
            + ConsentRoutes(
                organizations: stores.organizations, consent: stores.consent, recording: useCases.recording,
                requests: useCases.requests, accesses: accessRecording, now: now, recordingTime: recordingTime
            ).routes
            + ConsentRequestRoutes(
                organizations: stores.organizations, store: stores.consentRequests, consent: stores.consent,
                requesting: useCases.requesting, requests: useCases.requests, accesses: accessRecording, now: now
            ).routes
            + MessageRoutes(
                organizations: stores.organizations, catalog: useCases.catalog, archive: stores.messages,
                requests: useCases.requests
            ).routes
            + MessageListRoutes(messages: stores.messages).routes
            + PayloadRoutes(
                organizations: stores.organizations, catalog: useCases.catalog, archive: stores.messages,
                composer: useCases.composer, decisions: stores.decisions, requests: useCases.requests
            ).routes
            + RewriteRoutes(
                organizations: stores.organizations, rewriter: useCases.rewriter, requests: useCases.requests
            ).routes
            + EndpointRoutes(store: stores.endpoints, secrets: useCases.endpointSecrets, now: now).routes
            + DeliveryRoutes(organizations: stores.organizations, deliveries: useCases.deliveries).routes
    }

    /// The routes for auditors: decisions, ledgers, exports, interactions, and the records about one recipient.
    private var reading: [Route] {
        DecisionRoutes(
            decisions: stores.decisions, consent: stores.consent, interactions: useCases.interactions,
            proofs: useCases.proofs, drain: drain, accesses: accessRecording
        ).routes
            + LedgerRoutes(
                ledgers: stores.ledgers, signer: useCases.signer, proofs: useCases.proofs,
                accesses: accessRecording
            ).routes
            + AccessRoutes(accesses: useCases.accesses, recording: accessRecording).routes
            + AuditRoutes(
                ledgers: stores.ledgers, signer: useCases.signer, decisions: stores.decisions,
                consent: stores.consent, accesses: stores.accesses, recording: accessRecording,
                interactions: useCases.interactions, drain: drain, now: now
            ).routes
            + InteractionRoutes(
                interactions: useCases.interactions, drain: drain, watch: useCases.watch, accesses: accessRecording
            ).routes
            + ConsentFeedRoutes(feed: stores.consent, watch: useCases.watch).routes
            + ReportRoutes(catalog: useCases.catalog, reports: stores.reports, drain: drain, now: now).routes
            + DecisionReportRoutes(
                sampler: DecisionSampler(ledgers: stores.ledgers, decisions: stores.decisions),
                reports: stores.reports, now: now
            ).routes
            + RecipientExportRoutes(
                organizations: stores.organizations, consent: stores.consent, requests: stores.consentRequests,
                decisions: stores.decisions, interactions: useCases.interactions, drain: drain,
                accesses: stores.accesses, recording: accessRecording, now: now
            ).routes
    }

    private var accessRecording: AccessRecording {
        AccessRecording(organizations: stores.organizations, accesses: useCases.accesses)
    }

    /// The routes for the operator.
    private var operating: [Route] {
        OperatorRoutes(
            rotation: useCases.keyRotation, keys: keys, messages: stores.messages,
            organizations: stores.organizations, consent: stores.consent, now: now
        ).routes + BackupRoutes(backups: useCases.backups).routes + NodeRoutes(registry: useCases.nodes).routes
            + ConsoleLinkRoutes(makeLink: makeSignInLink, now: now).routes
    }

    /// The routes for other nodes.
    private var peers: [Route] { PeerRoutes(seal: useCases.peers, directory: useCases.directory).routes }
}
