import Identifiers
import Logging
import StoragePorts
import Synchronization
import TrackingIDs
import UseCases

/// The ring of signing keys that nodes share: in the vault of the database, with a copy in each data folder, by which a
/// node opens links while it cannot reach the database.
final class SharedKeyRing: KeyRingStore {
    private static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(50)

    private let secrets: ClusterSecrets
    private let file: KeyRingFile
    private let current: CurrentKeyRing
    private let shared: any SharedStorage
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// The version of the ring that this node has.
    private let version: Atomic<Int64>

    /// Takes over the ring in the database. A key that the folder's ring has and the database lacks, because that was
    /// put back to an earlier state, is not dropped.
    /// - Parameters:
    ///   - current: the folder's ring; then the ring of all nodes.
    ///   - now: the service time.
    init(
        _ secrets: ClusterSecrets, file: KeyRingFile, current: CurrentKeyRing, shared: any SharedStorage,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) async throws {
        let (found, version) = try await secrets.ring(
            regaining: current.value, version: 0, folder: file.folder, at: now())
        found.log(to: logger)
        try Self.keep(current.value, contradictedBy: found, file)
        // A full disk must not prevent a node from starting with the ring that it has.
        if try file.file.read() != KeyRingFile.bytes(of: found.ring, folder: file.folder) { try file.write(found.ring) }
        current.replace(with: found.ring)
        self.secrets = secrets
        self.file = file
        self.current = current
        self.shared = shared
        self.now = now
        self.logger = logger
        self.version = Atomic(version)
        shared.note(ring: version)
    }

    var isShared: Bool { true }

    func write(_ ring: KeyRing) async throws {
        let known = version.load(ordering: .acquiring)
        let bytes = KeyRingFile.bytes(of: ring, folder: file.folder)
        guard try await secrets.replaceRing(by: bytes, after: known, version: known + 1) else {
            try await refresh()
            throw KeyRingMoved()
        }
        try take(ring, known + 1)
    }

    /// Takes over a ring that another node has written. If the database has an earlier one, it was put back.
    func refreshIfOld() async throws {
        let (own, found) = (version.load(ordering: .acquiring), shared.ringVersion)
        if found > own { try await refresh() }
        // 0 before the first poll. Also after a change by this node, until the next poll.
        if found < own, found > 0 { try await regain() }
    }

    /// Takes over the ring of a database that was put back to an earlier state, with the keys that it lacks.
    func regain() async throws {
        let (known, own) = (current.value, version.load(ordering: .acquiring))
        let (found, version) = try await secrets.ring(
            regaining: known, version: own, folder: file.folder, at: now())
        found.log(to: logger)
        let isSame =
            KeyRingFile.bytes(of: found.ring, folder: file.folder) == KeyRingFile.bytes(of: known, folder: file.folder)
        guard version != own || !isSame else { return }
        try Self.keep(known, contradictedBy: found, file)
        try take(found.ring, version)
        current.replace(with: found.ring)
    }

    private func refresh() async throws {
        let (ring, found) = try await secrets.currentRing()
        guard found > version.load(ordering: .acquiring) else { return }
        try take(ring, found)
        current.replace(with: ring)
    }

    /// Keeps a ring whose keys cannot all be in the ring of the nodes, beside the ring's file.
    private static func keep(_ known: KeyRing, contradictedBy found: RegainedRing, _ file: KeyRingFile) throws {
        guard !found.contradicted.isEmpty else { return }
        try SecretFile(path: file.file.path + ".lost").write(KeyRingFile.bytes(of: known, folder: file.folder))
    }

    private func take(_ ring: KeyRing, _ version: Int64) throws {
        try file.write(ring)
        self.version.store(version, ordering: .releasing)
        shared.note(ring: version)
    }

    func waitForEveryNode() async throws -> [String] {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let missing = try await shared.nodes(withoutRing: version.load(ordering: .acquiring))
            guard !missing.isEmpty, ContinuousClock.now < deadline else { return missing.map(\.description) }
            try await Task.sleep(for: Self.pause)
        }
    }
}

extension RegainedRing {
    fileprivate func log(to logger: Logger) {
        if !regained.isEmpty {
            logger.critical(
                """
                the database was put back to a state without signing keys that this node has: they are in it again, \
                and open the links that they signed
                """, metadata: ["keys": "\(regained.map(String.init).joined(separator: ", "))"])
        }
        if !contradicted.isEmpty {
            logger.critical(
                """
                the database was put back to an earlier state, and has other signing keys than this node under the \
                same numbers: links that this node's keys signed are unknown. Its ring is kept in keyring.json.lost
                """, metadata: ["keys": "\(contradicted.map(String.init).joined(separator: ", "))"])
        }
    }
}
