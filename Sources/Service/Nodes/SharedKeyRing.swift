import Organizations
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
    /// The version of the ring that this node has.
    private let version: Atomic<Int64>

    /// - Parameter version: the version of the ring in `current`.
    init(
        _ secrets: ClusterSecrets, version: Int64, file: KeyRingFile, current: CurrentKeyRing,
        shared: any SharedStorage
    ) {
        self.secrets = secrets
        self.file = file
        self.current = current
        self.shared = shared
        self.version = Atomic(version)
        shared.note(ring: version)
    }

    var isShared: Bool { true }

    func write(_ ring: KeyRing) async throws {
        let next = version.load(ordering: .acquiring) + 1
        guard try await secrets.replaceRing(by: KeyRingFile.bytes(of: ring, folder: file.folder), version: next) else {
            try await refresh()
            throw KeyRingMoved()
        }
        try take(ring, next)
    }

    /// Takes over a ring that another node has written.
    func refreshIfOld() async throws {
        if shared.ringVersion > version.load(ordering: .acquiring) { try await refresh() }
    }

    private func refresh() async throws {
        let (ring, found) = try await secrets.currentRing()
        guard found > version.load(ordering: .acquiring) else { return }
        try take(ring, found)
        current.replace(with: ring)
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
