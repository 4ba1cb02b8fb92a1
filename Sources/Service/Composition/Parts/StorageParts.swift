import Cryptography
import Identifiers
import Logging
import Messages
import Organizations
import Redirect
import SQLiteStorage
import ServiceLifecycle
import TrackingIDs
import UseCases

/// What is stored, the keys to it, and the memory of the redirect that the store keeps up to date.
struct StorageParts {
    let storage: SQLiteStorage
    let operatorKey: AccessKeyDigest
    let erasureKey: SecretBytes
    let keys: CurrentKeyRing
    let keyRingFile: KeyRingFile
    let clock: ClockMonitor
    let recordingRules: RecordingRulesTable
    let links: LinkTable

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
        let path = folder.path
        let storage = try DataFolder.naming {
            try SQLiteStorage.open(
                folder: path, erasureKey: erasureKey, ledgerHost: publicOrigin.authority,
                observer: recordingRules, messageObserver: links, clock: now)
        }
        monitor.begin(notBefore: try storage.latestTime())
        try await folder.confirm(storage, now: now())
        self.storage = storage
        self.erasureKey = erasureKey
        self.recordingRules = recordingRules
        self.links = links
        self.now = now
        clock = monitor
    }

    /// Watches the clock, drains the spool, and keeps an eye on the disk and on what is due to be deleted.
    func services(
        _ settings: ServiceSettings, _ ledgers: LedgerParts, _ recording: RecordingParts, logger: Logger
    ) -> [any Service] {
        [
            clock, ledgers.waiting(DrainService(drain: recording.drain)),
            DiskWatchService(
                storage: storage, writer: recording.writer,
                floor: DiskFloor(folder: settings.dataFolder, mebibytes: settings.diskFloorInMebibytes),
                logger: logger),
            ledgers.waiting(
                RetentionService(
                    organizations: storage.organizations, retention: storage.retention, lag: recording.retentionLag,
                    now: { [clock] in clock.clock.earliest }, logger: logger)),
        ]
    }
}
