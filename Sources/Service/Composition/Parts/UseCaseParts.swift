import HTTPAPI
import Messages
import Redirect
import SQLiteStorage
import ServiceLifecycle
import UseCases

/// The use cases, and the stores that they and the API work on.
struct UseCaseParts {
    let consentRecording: ConsentRecording
    let decisions = DecisionMetrics()
    let stores: Stores
    let privateAPI: PrivateAPI.UseCases
    let quotas: QuotaEnforcer

    init(
        _ settings: ServiceSettings, _ folder: borrowing DataFolder, _ stored: StorageParts, _ ledgers: LedgerParts,
        _ recording: RecordingParts, publicOrigin: PublicOrigin
    ) async throws {
        let (storage, keys, now) = (stored.storage, stored.keys, stored.now)
        let lifetime = settings.linkLifetimeInDays
        quotas = QuotaEnforcer(
            organizations: storage.organizations, recordingRules: stored.recordingRules,
            stored: { [interactions = storage.interactions] in try await interactions.count(in: $0) })
        try await quotas.load()
        consentRecording = ConsentRecording(storage.consents) { [drain = recording.drain] in
            // Clicks of the erased recipient are dropped: their reference is not known any more.
            try await drain.eraseResiduals()
        }
        stores = Stores(
            organizations: storage.organizations, messages: storage.messages, consent: storage.consents,
            decisions: storage.decisions, interactions: storage.interactions, ledgers: storage.ledgers)
        let catalog = MessageCatalog(
            messages: storage.messages, directory: recording.directory, publicOrigin: publicOrigin,
            linkLifetimeInDays: lifetime, now: now)
        let composer = Composer(
            consent: storage.consents, decisions: storage.decisions, metrics: decisions, keys: keys,
            linkLifetimeInDays: lifetime, now: now)
        privateAPI = PrivateAPI.UseCases(
            recording: consentRecording, catalog: catalog, composer: composer,
            rewriter: Rewriter(catalog: catalog, composer: composer),
            requests: IdempotentRequests(
                log: storage.requests, fingerprinter: try IdempotencyFingerprinter(erasureKey: stored.erasureKey),
                now: now),
            keyRotation: KeyRotation(current: keys, store: stored.keyRingFile, linkLifetimeInDays: lifetime),
            quotas: quotas,
            interactions: LinkedInteractions(interactions: storage.interactions, messages: storage.messages),
            signer: ledgers.signer, proofs: ledgers.proofs,
            backups: FolderBackups(
                storage: storage, dataFolder: folder.path, backups: settings.backupPath, now: now))
    }

    var services: [any Service] { [QuotaService(quotas: quotas)] }
}
