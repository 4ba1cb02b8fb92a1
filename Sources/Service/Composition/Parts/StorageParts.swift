import Cryptography
import Identifiers
import Interactions
import Ledger
import Logging
import Messages
import Organizations
import Redirect
import SQLiteSpool
import SQLiteStorage
import ServiceLifecycle
import TrackingIDs
import UseCases

/// What is stored, the keys to it, and the memory of the redirect that the store keeps up to date.
struct StorageParts {
    let stores: Stores
    let ledgers: any CheckpointStore & LedgerChecking
    let retention: any RetentionStore
    let requests: any IdempotencyStore
    let spool: any ClickSpool
    /// How many occurrences a former process left in the spool.
    let leftInSpool: Int
    let backup: DatabaseBackup
    /// Of the storage and of the spool.
    let statuses: @Sendable () -> [StorageStatus]
    /// How many interactions of an organization are stored.
    let storedInteractions: @Sendable (OrganizationID) async throws -> Int
    /// Whether the storage is another file than at the last start: the folder was copied, or put back from a backup.
    let isCopy: Bool
    let operatorKey: AccessKeyDigest
    let erasureKey: SecretBytes
    let keys: CurrentKeyRing
    let keyRingFile: KeyRingFile
    let clock: ClockMonitor
    let recordingRules: RecordingRulesTable
    let links: LinkTable

    private let databases: FolderDatabases

    /// The service time.
    let now: @Sendable () -> Timestamp

    init(_ folder: borrowing DataFolder, publicOrigin: PublicOrigin, logger: Logger) async throws {
        let monitor = ClockMonitor(ServiceClock(), logger: logger)
        let now: @Sendable () -> Timestamp = { [clock = monitor.clock] in clock.now() }
        let (recordingRules, erasureKey) = (RecordingRulesTable(), try folder.erasureKey())
        let links = LinkTable(rules: recordingRules)
        operatorKey = try folder.operatorKey().digest
        let ring = try folder.keyRing()
        keys = CurrentKeyRing(ring.ring)
        keyRingFile = ring.file
        let databases = try FolderDatabases(
            in: folder.path, erasureKey: erasureKey, ledgerHost: publicOrigin.authority, observer: recordingRules,
            messageObserver: links, clock: now)
        monitor.begin(notBefore: try databases.latestTime())
        try await folder.confirm(databases, now: now())
        self.databases = databases
        let (storage, spool) = (databases.storage, databases.spool)
        stores = Stores(
            organizations: storage.organizations, messages: storage.messages, consent: storage.consents,
            decisions: storage.decisions, interactions: storage.interactions, ledgers: storage.ledgers)
        ledgers = storage.ledgers
        retention = storage.retention
        requests = storage.requests
        self.spool = spool
        leftInSpool = spool.leftover
        backup = DatabaseBackup(spool: spool, storage: storage)
        statuses = { [storage.status, spool.status] }
        storedInteractions = { [interactions = storage.interactions] in try await interactions.count(in: $0) }
        isCopy = storage.isCopy
        self.erasureKey = erasureKey
        self.recordingRules = recordingRules
        self.links = links
        self.now = now
        clock = monitor
    }

    /// Tells the memory of the redirect who may not be recorded. Before the first click.
    func loadRecordingEnds() async throws { try await databases.storage.organizations.loadRecordingEnds(at: now()) }

    /// Closes the databases once nobody uses them any more. Blocks the thread.
    func close() throws { try databases.close() }

    /// Watches the clock, drains the spool, and keeps an eye on the disk and on what is due to be deleted.
    func services(
        _ settings: ServiceSettings, _ ledgers: LedgerParts, _ recording: RecordingParts, logger: Logger
    ) -> [any Service] {
        [
            clock, ledgers.waiting(DrainService(drain: recording.drain)),
            DiskWatchService(
                storage: databases.storage, statuses: statuses, writer: recording.writer,
                floor: DiskFloor(folder: settings.dataFolder, mebibytes: settings.diskFloorInMebibytes),
                logger: logger),
            ledgers.waiting(
                RetentionService(
                    organizations: stores.organizations, retention: retention, lag: recording.retentionLag,
                    now: { [clock] in clock.clock.earliest }, logger: logger)),
        ]
    }
}
