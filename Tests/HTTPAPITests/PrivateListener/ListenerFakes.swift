import Identifiers
import Synchronization
import TestSupport
import TrackingIDs
import UseCases

/// A clock that a test sets.
final class SettableTime: Sendable {
    private let time = Mutex(Timestamp.noon)

    var now: Timestamp { time.withLock { $0 } }

    func advance(byMilliseconds milliseconds: Int64) { time.withLock { $0 = $0 + milliseconds } }
}

/// What stands in the way of being ready, as a test says.
final class SettableHealth: Sendable {
    private let reasons = Mutex<[ReadinessReason]>([])

    var impediments: [ReadinessReason] {
        get { reasons.withLock { $0 } }
        set { reasons.withLock { $0 = newValue } }
    }
}

/// Makes backups as a test says.
final class StubBackups: BackupMaking {
    private let failure = Mutex<BackupError?>(nil)

    func fail(with error: BackupError?) { failure.withLock { $0 = error } }

    func make() async throws -> Backup {
        if let error = failure.withLock({ $0 }) { throw error }
        return Backup(
            folder: "/backups/1", startedAt: .noon, finishedAt: .noon + 1000,
            files: [.init(name: "main.db", bytes: 12)],
            includesDatabase: true)
    }
}

/// Keeps checkpoints in memory.
final class CheckpointsInMemory: CheckpointArchive {
    private let notes = Mutex<[OrganizationID: [UInt8]]>([:])
    private let beforeWrite = Mutex<(@Sendable () async -> Void)?>(nil)

    /// Is awaited before the next checkpoint is kept.
    func beforeNextWrite(_ body: @escaping @Sendable () async -> Void) { beforeWrite.withLock { $0 = body } }

    func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]? {
        notes.withLock { $0[organization] }
    }

    func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure) {
        await beforeWrite.withLock { $0.take() }?()
        notes.withLock { $0[organization] = note }
    }

    func mayHaveHad(_: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool { true }

    func remember(_: Set<OrganizationID>) async throws(CheckpointArchiveFailure) {}
}

/// Takes every key ring and keeps none, until it is shared with nodes that do not take a ring over.
final class ForgetfulRingStore: KeyRingStore {
    private let current: CurrentKeyRing
    /// Guards the names of the nodes; none if the ring is not shared.
    private let nodes = Mutex<[String]>([])

    init(_ current: CurrentKeyRing) { self.current = current }

    func share(with nodes: [String]) { self.nodes.withLock { $0 = nodes } }

    var isShared: Bool { nodes.withLock { !$0.isEmpty } }

    func write(_ ring: KeyRing, replacing _: KeyRing) { if isShared { current.replace(with: ring) } }

    func waitForEveryNode() -> [String] { nodes.withLock { $0 } }
}
