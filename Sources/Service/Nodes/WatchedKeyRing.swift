import TrackingIDs
import UseCases

/// A ring of signing keys that is written by its path, but not into a folder that is no longer the service's.
struct WatchedKeyRing: KeyRingStore {
    let ring: any KeyRingStore
    let watch: FolderWatch

    var isShared: Bool { ring.isShared }

    func write(_ ring: KeyRing, replacing old: KeyRing) async throws {
        try watch.require()
        try await self.ring.write(ring, replacing: old)
    }

    func waitForEveryNode() async throws -> [String] { try await ring.waitForEveryNode() }
}
