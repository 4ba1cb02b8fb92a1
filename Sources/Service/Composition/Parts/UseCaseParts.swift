import Console
import HTTPAPI
import Interactions
import Logging
import Messages
import Redirect
import ServiceLifecycle
import UseCases
import Webhooks

/// The use cases, and the stores that they and the API use.
struct UseCaseParts {
    let consentRecording: ConsentRecording
    let receipts: ConsentReceipts
    let consentRequesting: ConsentRequesting
    let decisions = DecisionMetrics()
    let stores: Stores
    let privateAPI: PrivateAPI.UseCases
    let quotas: QuotaEnforcer
    let watch: FeedWatch
    let deliveries: EndpointDeliveries
    /// How long the console waits for stores that it can do without.
    let storeWait = StoreWait()
    /// Keeps the sessions of the console.
    let sessions: SessionKeeper
    /// The times when keys were last used.
    let keyUses: KeyUses
    let catalog: MessageCatalog
    let keyRotation: KeyRotation
    let backups: FolderBackups
    private let endpointStates: EndpointStateService
    private let logger: Logger
    private let erasureClearing: ErasureClearingService

    init(
        settings: ServiceSettings, folder: borrowing DataFolder, stored: StorageParts, ledgers: LedgerParts,
        recording: RecordingParts, publicOrigin: PublicOrigin, logger: Logger
    ) async throws {
        let (keys, now, erasures) = (stored.keys, stored.now, ErasureGate())
        self.logger = logger
        stores = stored.stores
        let lifetime = settings.linkLifetimeInDays
        quotas = QuotaEnforcer(
            organizations: stores.organizations, recordingRules: stored.memory.recordingRules,
            stored: { [interactions = stores.interactions] in try await interactions.count(in: $0) })
        if !stored.isUnavailable { try await quotas.measure() }
        watch = FeedWatch(stored.commitCounter)
        keyUses = KeyUses(
            stores.organizations,
            takesWrites: { [statuses = stored.statuses] in statuses().allSatisfy(\.takesWrites) }, now: now)
        sessions = SessionKeeper(
            store: stored.sessions, seals: try SessionSeals(erasureKey: stored.erasureKey),
            keys: stores.organizations, operatorKey: stored.operatorKey,
            provider: ProviderGrants(settings.consoleProvider), noteKeyUse: { [keyUses] in keyUses.note($0) },
            wait: storeWait)
        let endpointSecrets = try EndpointSecrets(erasureKey: stored.erasureKey)
        deliveries = Self.deliveries(stored, endpointSecrets, watch, logger)
        endpointStates = EndpointStateService(
            metrics: deliveries.metrics, store: stored.deliveries, now: now, logger: logger)
        consentRecording = ConsentRecording(stores.consent, gate: erasures) { [drain = recording.drain] in
            // Clicks of the erased recipient are dropped, because their reference is unknown now.
            try await drain.eraseResiduals()
        }
        erasureClearing = ErasureClearingService(recording: consentRecording, logger: logger)
        receipts = ConsentReceipts(
            consent: stores.consent, organizations: stores.organizations, ledgers: stores.ledgers,
            signer: ledgers.signer)
        consentRequesting = ConsentRequesting(
            store: stores.consentRequests, recording: consentRecording, keys: keys, publicOrigin: publicOrigin,
            minimumPauseInDays: settings.minimumPauseInDays, earliest: { [trust = stored.clockTrust] in trust.passed })
        catalog = MessageCatalog(
            messages: stores.messages, directory: recording.directory, publicOrigin: publicOrigin,
            linkLifetimeInDays: lifetime, now: now)
        let composer = Composer(
            consent: stores.consent, decisions: stores.decisions, metrics: decisions, keys: keys,
            linkLifetimeInDays: lifetime, now: now)
        keyRotation = KeyRotation(
            current: keys, store: stored.keyRing, linkLifetimeInDays: lifetime, logger: logger,
            earliest: { [trust = stored.clockTrust] _ in trust.earliest })
        backups = try Self.backups(settings, folder, stored, erasures, logger)
        privateAPI = PrivateAPI.UseCases(
            recording: consentRecording, requesting: consentRequesting, catalog: catalog, composer: composer,
            rewriter: Rewriter(catalog: catalog, composer: composer),
            requests: IdempotentRequests(
                store: stored.requests, fingerprinter: try IdempotencyFingerprinter(erasureKey: stored.erasureKey)),
            keyRotation: keyRotation,
            quotas: quotas,
            interactions: LinkedInteractions(interactions: stores.interactions, messages: stores.messages),
            signer: ledgers.signer, proofs: ledgers.proofs,
            backups: backups,
            nodes: stored.shared, peers: stored.peers, directory: recording.directory,
            watch: watch, endpointSecrets: endpointSecrets, deliveries: deliveries,
            accesses: PersonAccess(log: stores.accesses, now: now))
    }

    private static func backups(
        _ settings: ServiceSettings, _ folder: borrowing DataFolder, _ stored: StorageParts, _ erasures: ErasureGate,
        _ logger: Logger
    ) throws -> FolderBackups {
        // Before any recipient is erased. If the folder does not exist yet, there is nothing to remove.
        try? UnfinishedBackup.removeAbandoned(
            by: [stored.folder.own, stored.folder.id], now: .now, in: settings.backupPath)
        return FolderBackups(
            databases: stored.backup,
            keys: KeysInUse(
                ring: stored.keys, erasureKey: stored.erasureKey, ledgerKey: try folder.ledgerKey(),
                operatorKey: stored.operatorKey, clusterKey: stored.clusterKey),
            erasures: erasures, dataFolder: folder.path, folder: stored.folder, backups: settings.backupPath,
            floor: DiskFloor(folder: folder.path, mebibytes: settings.diskFloorInMebibytes), now: { .now },
            logger: logger)
    }

    private static func deliveries(
        _ stored: StorageParts, _ secrets: EndpointSecrets, _ watch: FeedWatch, _ logger: Logger
    ) -> EndpointDeliveries {
        EndpointDeliveries(
            store: stored.deliveries, secrets: secrets, watch: watch, now: stored.now,
            wallClock: { [clock = stored.clock.clock] in clock.wall }, logger: logger)
    }

    var services: [any Service] {
        [
            QuotaService(quotas: quotas, logger: logger), FeedWatchService(watch: watch), KeyUseService(uses: keyUses),
            endpointStates, erasureClearing,
        ]
    }
}
