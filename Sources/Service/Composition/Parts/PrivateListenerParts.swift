import Counting
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Redirect
import SQLiteStorage
import ServiceLifecycle
import UseCases

/// The private listener: backends, auditors and the operator.
struct PrivateListenerParts {
    let listener: any Service
    let connections: PrivateConnections

    init(
        _ sockets: SocketParts, _ stored: StorageParts, _ ledgers: LedgerParts, _ recording: RecordingParts,
        _ useCases: UseCaseParts, _ health: Health, _ times: RequestTimes, reports: DeviceReportTally,
        settings: ServiceSettings, group: any EventLoopGroup, logger: Logger,
        onOpen: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let connections = try await PrivateConnections(group: group, limit: sockets.apiLimit)
        let metrics: [any MetricSource] = [
            recording.redirect.metrics, recording.writer, useCases.decisions, useCases.consents, reports, times,
            ReadinessMetrics(health: health), ProcessMetrics(),
            StorageMetrics(dataFolder: settings.dataFolder, backups: settings.backupPath), recording.retentionLag,
            ledgers.signer, ledgers.checker, stored.clock, connections,
        ]
        let routes =
            Self.writing(stored, ledgers, recording, useCases) + Self.reading(stored, ledgers, recording, useCases)
            + Self.operating(stored, useCases) + health.routes + MetricsPage(sources: metrics).routes
        let organizations = stored.storage.organizations
        let router = Router.privateAPI(
            routes, Authenticator(operatorKey: stored.operatorKey, organizations: organizations), organizations,
            BodyBudget(), WorkPool(threads: max(2, System.coreCount)), times, useCases.quotas,
            AdministrativeLog(logger: logger))
        listener = Listener(
            address: sockets.api, inherited: sockets.inherited.api,
            connection: PrivateChannel(
                connections: connections, responder: router.buildResponder().serving(logger)),
            limit: sockets.apiLimit, group: group, logger: logger, onOpen: onOpen, quiesce: connections.quiesce)
        self.connections = connections
    }

    /// What backends use: organizations, keys, consent, messages, payloads.
    private static func writing(
        _ stored: StorageParts, _ ledgers: LedgerParts, _ recording: RecordingParts, _ useCases: UseCaseParts
    ) -> [Route] {
        let (storage, now) = (stored.storage, stored.now)
        return OrganizationRoutes(
            organizations: storage.organizations, quotas: useCases.quotas, signer: ledgers.signer, now: now
        ).routes
            + KeyRoutes(organizations: storage.organizations, now: now).routes
            + ConsentRoutes(
                organizations: storage.organizations, consent: useCases.consents, requests: useCases.requests,
                drain: recording.drain, now: now, moment: { [clock = stored.clock.clock] in clock.moment }
            ).routes
            + MessageRoutes(
                organizations: storage.organizations, catalog: useCases.catalog, decisions: storage.decisions,
                interactions: storage.interactions, requests: useCases.requests, drain: recording.drain
            ).routes
            + PayloadRoutes(
                organizations: storage.organizations, catalog: useCases.catalog, composer: useCases.composer,
                requests: useCases.requests
            ).routes
            + RewriteRoutes(
                organizations: storage.organizations, rewriter: useCases.rewriter, requests: useCases.requests
            ).routes
    }

    /// What auditors use: decisions, ledgers, exports, interactions, and what is held of one recipient.
    private static func reading(
        _ stored: StorageParts, _ ledgers: LedgerParts, _ recording: RecordingParts, _ useCases: UseCaseParts
    ) -> [Route] {
        let (storage, drain, now) = (stored.storage, recording.drain, stored.now)
        return DecisionRoutes(
            decisions: storage.decisions, consent: storage.consents, interactions: useCases.interactions,
            proofs: ledgers.proofs, drain: drain
        ).routes
            + LedgerRoutes(ledgers: storage.ledgers, signer: ledgers.signer, proofs: ledgers.proofs).routes
            + AuditRoutes(
                ledgers: storage.ledgers, signer: ledgers.signer, decisions: storage.decisions,
                consent: storage.consents, interactions: useCases.interactions, drain: drain, now: now
            ).routes
            + InteractionRoutes(interactions: useCases.interactions, drain: drain).routes
            + RecipientExportRoutes(
                organizations: storage.organizations, consent: storage.consents, decisions: storage.decisions,
                interactions: useCases.interactions, drain: drain, now: now
            ).routes
    }

    /// What the operator alone uses.
    private static func operating(_ stored: StorageParts, _ useCases: UseCaseParts) -> [Route] {
        OperatorRoutes(
            rotation: useCases.keyRotation, keys: stored.keys, messages: stored.storage.messages,
            organizations: stored.storage.organizations, consent: stored.storage.consents, now: stored.now
        ).routes + BackupRoutes(backups: useCases.backups).routes
    }
}
