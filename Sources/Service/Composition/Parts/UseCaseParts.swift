import Messages
import SQLiteStorage
import ServiceLifecycle
import UseCases

/// The use cases, and the stores that count what they record.
struct UseCaseParts {
    let consents: CountedConsentStore
    let decisions: CountedDecisionLog
    let catalog: MessageCatalog
    let composer: Composer
    let rewriter: Rewriter
    let requests: IdempotentRequests
    let keyRotation: KeyRotation
    let quotas: QuotaEnforcer
    let interactions: LinkedInteractions
    let backups: any BackupMaking

    init(
        _ settings: ServiceSettings, _ folder: borrowing DataFolder, _ stored: StorageParts, _ ledgers: LedgerParts,
        _ recording: RecordingParts, publicOrigin: PublicOrigin
    ) async throws {
        let storage = stored.storage
        quotas = QuotaEnforcer(
            organizations: storage.organizations, gates: stored.gates,
            stored: { [interactions = storage.interactions] in try await interactions.count(in: $0) })
        try await quotas.load()
        consents = CountedConsentStore(storage.consents)
        decisions = CountedDecisionLog(storage.decisions)
        catalog = MessageCatalog(
            messages: storage.messages, directory: recording.directory, publicOrigin: publicOrigin,
            linkLifetimeInDays: settings.linkLifetimeInDays, now: stored.now)
        composer = Composer(
            consent: consents, decisions: decisions, keys: stored.keys,
            linkLifetimeInDays: settings.linkLifetimeInDays, now: stored.now)
        rewriter = Rewriter(catalog: catalog, composer: composer)
        requests = IdempotentRequests(
            log: storage.requests, fingerprinter: try IdempotencyFingerprinter(erasureKey: stored.erasureKey),
            now: stored.now)
        keyRotation = KeyRotation(
            current: stored.keys, store: stored.keyRingFile, linkLifetimeInDays: settings.linkLifetimeInDays)
        interactions = LinkedInteractions(interactions: storage.interactions, messages: storage.messages)
        backups = FolderBackups(
            storage: storage, dataFolder: folder.path, backups: settings.backupPath, now: stored.now)
    }

    var services: [any Service] { [QuotaService(quotas: quotas)] }
}
