import StoragePorts
import TrackingIDs
import UseCases

/// The ring of signing keys while the shared storage is unavailable: no node may change it then.
struct UnavailableKeyRing: KeyRingStore {
    var isShared: Bool { true }

    func write(_: KeyRing, replacing _: KeyRing) async throws { throw StorageUnavailable() }
}

private struct StorageUnavailable: StoreFailure {
    var description: String { "the database that the nodes share cannot be used" }
    var isTransient: Bool { true }
}
