import Identifiers
import Logging
import StoragePorts
import Synchronization
import TrackingIDs
import UseCases

/// The ring of signing keys that nodes share: in the vault of the database, with a copy in each data folder, by which a
/// node opens links while it cannot reach the database.
final class SharedKeyRing: KeyRingStore {
    private static let wait = RingWait(timeout: .seconds(5), pause: .milliseconds(50))

    private let secrets: ClusterSecrets
    /// The id of the data folder.
    private let folder: FolderID
    private let copy: KeyRingCopy
    private let current: CurrentKeyRing
    private let shared: any SharedStorage
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// The version of the ring that this node has.
    private let version: Atomic<Int64>
    /// Held while the ring and its version are replaced, so that both belong together.
    private let replacement = Mutex(())

    /// Takes over the ring in the database. A key that the folder's ring has and the database lacks is not dropped,
    /// unless it was retired.
    /// - Parameters:
    ///   - current: the folder's ring; then the ring of all nodes.
    ///   - now: the service time.
    init(
        _ secrets: ClusterSecrets, file: KeyRingFile, current: CurrentKeyRing, shared: any SharedStorage,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) async throws {
        let (found, version) = try await secrets.ring(
            merging: current.value, version: 0, folder: file.folder, at: now())
        found.log(to: logger)
        current.replace(with: found.ring)
        copy = KeyRingCopy(file, of: current, logger: logger)
        copy.write(keeping: found.dropped)
        self.secrets = secrets
        folder = file.folder
        self.current = current
        self.shared = shared
        self.now = now
        self.logger = logger
        self.version = Atomic(version)
        shared.set(ring: version)
    }

    var isShared: Bool { true }

    func write(_ ring: KeyRing, replacing old: KeyRing) async throws {
        // A ring is replaced before its version. So if this is the version of a later ring, that ring is the current one.
        let known = version.load(ordering: .acquiring)
        guard KeyRingFile.bytes(of: old, folder: folder) == KeyRingFile.bytes(of: current.value, folder: folder) else {
            throw KeyRingMoved()
        }
        let bytes = KeyRingFile.bytes(of: ring, folder: folder)
        guard try await secrets.replaceRing(by: bytes, after: known, version: known + 1) else {
            try await refresh()
            throw KeyRingMoved()
        }
        adopt(ring, known + 1, after: known)
    }

    /// Takes over a ring that another node has written. If the database has an earlier one, it was put back.
    func refreshIfOld() async throws {
        copy.retry()
        let (own, found) = (version.load(ordering: .acquiring), shared.ringVersion)
        if found > own { try await refresh() }
        // 0 before the first poll. Also after a change by this node, until the next poll.
        if found < own, found > 0 { try await merge() }
    }

    /// Takes over the ring of the database, with the keys that it lacks if it was put back to an earlier state.
    func merge() async throws {
        let (known, own) = (current.value, version.load(ordering: .acquiring))
        let (found, version) = try await secrets.ring(merging: known, version: own, folder: folder, at: now())
        found.log(to: logger)
        let isSame =
            KeyRingFile.bytes(of: found.ring, folder: folder) == KeyRingFile.bytes(of: known, folder: folder)
        guard version != own || !isSame else { return }
        adopt(found.ring, version, keeping: found.dropped)
    }

    private func refresh() async throws {
        // By a ring of an earlier version, a key that was retired looks like one that was lost.
        guard current.value.retired == nil else { return try await merge() }
        let (ring, found) = try await secrets.currentRing()
        guard found > version.load(ordering: .acquiring) else { return }
        adopt(ring, found)
    }

    /// The database has the ring already, so the node uses it whether or not its folder can have a copy.
    /// - Parameter known: the version that the ring replaces: if the node has the ring of another version meanwhile, that
    ///   one stays.
    private func adopt(_ ring: KeyRing, _ version: Int64, after known: Int64? = nil, keeping dropped: [KeyRing] = []) {
        let isTaken = replacement.withLock { _ in
            guard known == nil || known == self.version.load(ordering: .acquiring) else { return false }
            current.replace(with: ring)
            self.version.store(version, ordering: .releasing)
            shared.set(ring: version)
            return true
        }
        if isTaken { copy.write(keeping: dropped) }
    }

    func waitForEveryNode() async throws -> [String] {
        let missing = try await Self.wait.missing { [self] in
            try await shared.nodes(withoutRing: version.load(ordering: .acquiring))
        }
        return missing.map(\.description)
    }
}
