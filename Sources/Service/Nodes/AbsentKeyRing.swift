import StoragePorts
import TrackingIDs
import UseCases

/// The ring of signing keys while the shared storage is unavailable: no node may change it then.
struct AbsentKeyRing: KeyRingStore {
    var isShared: Bool { true }

    func write(_: KeyRing, replacing _: KeyRing) async throws { throw StorageAway() }
}

private struct StorageAway: StoreFailure {
    var description: String { "the database that the nodes share cannot be used" }
    var isTransient: Bool { true }
}
