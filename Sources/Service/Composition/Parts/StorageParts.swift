import Cryptography
import Identifiers
import Interactions
import Ledger
import Logging
import Messages
import Organizations
import Redirect
import SQL
import SQLStorage
import SQLiteMirror
import SQLiteSpool
import SQLiteStorage
import ServiceLifecycle
import StoragePorts
import TrackingIDs
import UseCases
import Webhooks

/// The stores, their keys, and the memory of the redirect, which the storage keeps up to date.
struct StorageParts {
    let stores: Stores
    let ledgers: any CheckpointStore & LedgerChecking
    let retention: any RetentionStore
    let leases: any JobLeaseStore
    let requests: any IdempotencyStore
    let spool: any ClickSpool
    /// How many occurrences an earlier process left in the spool, and how many it had set aside; and how many commits
    /// were lost, at least.
    let leftInSpool: (waiting: Int, parked: Int, lostCommits: Int)
    let backup: DatabaseBackup
    /// The statuses of the storage and of the spool.
    let statuses: @Sendable () -> [StorageStatus]
    /// How many clicks were spooled while the node was not fresh.
    let unjudgedClicks: @Sendable () -> UInt64
    /// The same as ``OpenStorage/bytesOnServer``.
    let bytesOnServer: @Sendable () -> Int64?
    /// Whether the folder was copied or restored from a backup since the last start. A backup that is copied over a
    /// folder keeps the folder's files. On a server the data is elsewhere.
    let isCopy: Bool
    let operatorKey: APIKeyDigest
    let erasureKey: SecretBytes
    /// The key of all nodes' secrets; `nil` for the storage of one process.
    let clusterKey: SecretBytes?
    /// The id of the data folder, which all nodes of a storage share, and the id that no other service has.
    let folder: (id: FolderID, own: FolderID)
    let keys: CurrentKeyRing
    let keyRing: any KeyRingStore
    /// The ring of a service without other nodes.
    let ownRing: OwnKeyRing
    /// The ring that other nodes have, too.
    let sharedRing: SharedKeyRing?
    let clock: ClockMonitor
    let clockTrust: ClockTrust
    let memory: RedirectMemory
    /// Notices if the open files are no longer the folder's files; then nothing is written.
    let watch: FolderWatch
    /// Authenticates requests between nodes; `nil` if there are no other nodes.
    let peers: PeerSeal?
    /// Whether the storage could not be used when the service started: then links redirect with the mirror alone.
    let isUnavailable: Bool
    /// The restarts of the program that are to find it usable again.
    let recovery: RecoveryAttempts

    private let databases: FolderDatabases
    /// `nil` for the storage of one process.
    private let clusterTime: ClusterTime?
    private let timeNotes: TimeNoteService?

    /// The service time.
    let now: @Sendable () -> Timestamp

    /// Opens the storage, and reads the mirror meanwhile: each takes half of a start with a million people.
    init(
        folder: borrowing DataFolder, settings: ServiceSettings, isReadOnly: Bool, publicOrigin: PublicOrigin,
        recovery: RecoveryAttempts = RecoveryAttempts(), logger: Logger
    ) async throws {
        let memory = try RedirectMemory(of: folder, settings: settings, logger: logger)
        do {
            async let reading: Void = memory.follower.beginWithMirror()
            try await self.init(
                folder: folder, settings: settings, isReadOnly: isReadOnly, publicOrigin: publicOrigin, memory: memory,
                recovery: recovery, logger: logger)
            try await reading
            try await requireRules(logger)
        } catch {
            // A refused start leaves the folder unchanged. The error that refused it is the one to tell.
            try? memory.mirror?.close()
            throw error
        }
    }

    /// Without the storage, the service needs the rules in the mirror, and these may have turned out to be unreadable.
    /// The next start then waits for the storage.
    private func requireRules(_ logger: Logger) async throws {
        guard let unavailable = databases.storage as? UnavailableStorage, let mirror = memory.mirror, mirror.needsRules
        else {
            return
        }
        logger.error("mirror.db cannot be read, and the database that it is made from cannot be used")
        // Whether or not these succeed, the start ends with the storage's error.
        try? await mirror.repair()
        try? databases.close()
        throw unavailable.failure
    }

    private init(
        folder: borrowing DataFolder, settings: ServiceSettings, isReadOnly: Bool, publicOrigin: PublicOrigin,
        memory: RedirectMemory, recovery: RecoveryAttempts, logger: Logger
    ) async throws {
        let choice = settings.storage
        let nodeFile = NodeFile(in: folder.path)
        let (clusterTime, monitor) = Self.clocks(choice.kind, noted: nodeFile.time, logger)
        let now: @Sendable () -> Timestamp = { [clock = monitor.clock] in clock.now() }
        let (mirror, lastNoted) = (memory.mirror, memory.mirror?.notedAt ?? .distantPast)
        (erasureKey, operatorKey) = (try folder.erasureKey(), try folder.operatorKey().digest)
        let ring = try folder.keyRing()
        keys = CurrentKeyRing(ring.ring)
        let node = choice.kind == .postgres ? try Self.identity(nodeFile, settings, logger) : nil
        let databases = try await FolderDatabases(
            in: folder.path,
            StorageOpening(
                choice: choice, id: folder.id, move: try Self.move(in: folder.path), node: node,
                clusterKey: { [path = folder.path, given = settings.clusterKey] in
                    try ClusterSecrets.key(in: path, given: given)
                },
                isNew: folder.isNew, erasureKey: erasureKey, ledgerHost: publicOrigin.authority,
                observer: memory.follower, clock: now,
                earliest: { [clock = monitor.clock] in
                    clusterTime?.earliest(clock, lastNoted: lastNoted) ?? clock.now()
                },
                noteTime: { [clock = monitor.clock, known = memory.recordingRules.known] in
                    clusterTime?.update($0, clock, known)
                }, isTimed: { [clock = monitor.clock] in clusterTime?.isRight(clock) ?? true },
                noteDatabase: { Self.note(database: $0, in: nodeFile, logger) },
                seals: try Self.seals(in: nodeFile, logger), logger: logger,
                isReadOnly: isReadOnly, isExpected: recovery.isExpected, mirror: isReadOnly ? nil : mirror))
        (isUnavailable, isOnServer) = (databases.storage is UnavailableStorage, choice.kind == .postgres)
        monitor.begin(notBefore: max(try await databases.latestTime(), lastNoted))
        clockTrust = try await Self.resume(monitor.clock, databases.storage, isOnServer: isOnServer)
        if !isUnavailable { try await folder.confirm(databases, isOnServer: isOnServer, now: now(), logger) }
        if !isReadOnly, choice.kind != .postgres || folder.isNew { Self.note(settings, keys, ring.file, logger) }
        try databases.keepLogs()
        (self.databases, watch) = (databases, Self.watch(folder, databases, hasMirror: mirror != nil, logger))
        if let node, let slot = databases.storage.shared?.slot { try nodeFile.store(slot, of: node) }
        if let note = clusterTime?.note { try? nodeFile.store(note) }
        timeNotes = clusterTime.map { TimeNoteService($0, file: nodeFile, logger: logger) }
        sharedRing = try await Self.share(
            settings, folder: folder.path, id: folder.id, ring.file, keys, databases.storage, now: now, logger)
        if !isReadOnly { try await Self.note(settings, keys, inShared: sharedRing) }
        ownRing = OwnKeyRing(ring.file, logger: logger)
        let unshared: any KeyRingStore = isUnavailable ? UnavailableKeyRing() : ownRing
        keyRing = WatchedKeyRing(ring: sharedRing ?? unshared, watch: watch)
        clusterKey = choice.kind == .postgres ? try ClusterKeyFile(in: folder.path).read() : nil
        peers = databases.storage.shared == nil ? nil : try clusterKey.map { try PeerSeal(clusterKey: $0) }
        self.folder = (folder.id, node?.id ?? folder.id)
        let (storage, spool, sql) = (databases.storage, databases.spool, databases.storage.stores)
        stores = Stores(sql)
        (ledgers, retention, leases, requests) = (sql.ledgers, sql.retention, sql.leases, sql.requests)
        leftInSpool = (spool.leftover, spool.leftParked, folder.lostSpoolCommits)
        unjudgedClicks = { spool.unjudged }
        backup = DatabaseBackup(spool: spool, storage: databases.backupSource)
        (statuses, bytesOnServer) = ({ [storage.status, spool.status] }, { storage.bytesOnServer })
        (self.spool, isCopy) = (spool, storage.isCopy || folder.wasBackup && choice.kind == .sqlite)
        (self.memory, self.now, self.clusterTime, clock, self.recovery) = (memory, now, clusterTime, monitor, recovery)
    }

    /// On a server the time is the server's.
    private static func clocks(
        _ kind: StorageKind, noted: TimeNote?, _ logger: Logger
    ) -> (ClusterTime?, ClockMonitor) {
        let time = kind == .postgres ? ClusterTime(noted: noted) : nil
        return (
            time, ClockMonitor(time.map { time in ServiceClock { time.reading() } } ?? ServiceClock(), logger: logger)
        )
    }

    /// Lets the clock continue from what is stored of it.
    private static func resume(
        _ clock: ServiceClock, _ storage: any OpenStorage, isOnServer: Bool
    ) async throws -> ClockTrust {
        if storage is UnavailableStorage { return ClockTrust(clock) }
        let boot = NodeFile.bootID
        clock.resume(
            try await storage.stores.clockHistory.clockHistory(), boot: isOnServer || boot.isEmpty ? nil : boot)
        let earliest = clock.earliest
        var hold = try await storage.stores.retention.hold(at: earliest)
        return ClockTrust(clock, isHeld: !hold.mayPurge(at: earliest))
    }

    /// Tells the memory of the redirect what the mirror lacks; from then on it follows every change. Must be called
    /// before the first click.
    func followRules() async throws {
        if !isUnavailable { try await memory.follower.catchUp(with: databases.storage.stores.rules) }
    }

    /// Whether the storage is on a server, and not in a file of the folder.
    let isOnServer: Bool

    var deliveries: any DeliveryStore { databases.storage.stores.deliveries }

    /// The sessions of the console.
    var sessions: any SessionStore { databases.storage.stores.sessions }

    /// Whether anything was written, by any node.
    var commitCounter: any CommitCounter { databases.storage.stores.commitCounter }

    /// The part that it shares with other nodes; `nil` for the storage of one process.
    var shared: (any SharedStorage)? { databases.storage.shared }

    /// Whether the storage did not answer the last time.
    var isUnreachable: Bool { databases.storage.status == .unreachable }

    /// How far the times of clicks can be relied on.
    var occurrenceTimes: OccurrenceTimes {
        guard let clusterTime else { return OccurrenceTimes(isOfNode: false) }
        return OccurrenceTimes(
            uncertainty: ClusterTime.uncertainty,
            check: { [clock = clock.clock, storage = databases.storage] in
                try await clusterTime.check(clock) { try await storage.askTime() }
            }, gaps: { clusterTime.gaps })
    }

    /// Tells the storage that the service ends within seconds.
    func endSoon() { databases.storage.endSoon() }

    var isEnding: @Sendable () -> Bool { { [storage = databases.storage] in storage.isEnding } }

    /// Closes the databases once they are no longer used. Blocks the thread.
    func close() throws {
        try databases.close()
        // The mirror is only a copy.
        try? memory.mirror?.close()
    }

    /// The services that watch the clock, drain the spool, watch the disk, and delete what is due.
    func services(
        settings: ServiceSettings, ledgers: LedgerParts, recording: RecordingParts, logger: Logger
    ) -> [any Service] {
        nodeServices(settings, recording, logger) + [timeNotes].compactMap(\.self) + [
            clock, clockHistory(logger), ledgers.waiting(DrainService(drain: recording.drain)),
            DiskWatchService(
                storage: databases.storage, statuses: statuses, writer: recording.writer,
                floor: DiskFloor(folder: settings.dataFolder, mebibytes: settings.diskFloorInMebibytes),
                folder: watch, logger: logger),
        ] + (settings.roles.contains(.api) ? [ledgers.waiting(forgetting(recording, logger))] : [])
    }

    private func clockHistory(_ logger: Logger) -> ClockHistoryService {
        ClockHistoryService(
            clock: clock.clock, store: databases.storage.stores.clockHistory, isShared: isOnServer, logger: logger)
    }

    private func forgetting(_ recording: RecordingParts, _ logger: Logger) -> RetentionService {
        RetentionService(
            organizations: stores.organizations, retention: retention, leases: leases,
            lag: recording.retentionLag, jobs: recording.jobs,
            now: { [clock] in clock.clock.earliest }, logger: logger,
            hasLeapt: { [clock] in clock.clock.hasLeapt }, noteHold: { [clockTrust] in clockTrust.note(isHeld: $0) },
            runs: recording.retentionRuns)
    }

    /// First, so that the node follows the others until everything else has ended.
    private func nodeServices(
        _ settings: ServiceSettings, _ recording: RecordingParts, _ logger: Logger
    ) -> [any Service] {
        guard let node = node(recording, logger) else { return [] }
        if isUnavailable, case .postgres(let server) = settings.storage {
            let isRefused = databases.storage.status != .unreachable
            return [
                StorageRecovery(
                    interval: recovery.interval(isRefused: isRefused),
                    isUsable: { await PostgresOpening.isUsable(server) }, attempts: recovery, logger: logger)
            ]
        }
        guard let shared, let mirror = memory.mirror else { return [node] }
        return [
            node,
            MirrorService(
                mirror: mirror, feed: databases.storage.stores.rules, shared: shared, now: now, logger: logger),
        ]
    }

    /// `nil` for the storage of one process.
    func node(_ recording: RecordingParts, _ logger: Logger) -> NodeService? {
        shared.map { shared in
            NodeService(
                shared: shared,
                catchUp: { [follower = memory.follower, rules = databases.storage.stores.rules, sharedRing] in
                    try await follower.catchUp(with: rules)
                    try await sharedRing?.refreshIfOld()
                },
                spooled: { [writer = recording.writer] in writer.counters.held }, isEnding: isEnding, logger: logger)
        }
    }
}
