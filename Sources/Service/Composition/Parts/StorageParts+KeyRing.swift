import Identifiers
import Logging
import SQLStorage
import StoragePorts
import TrackingIDs
import UseCases

/// The ring of signing keys at a start.
extension StorageParts {
    /// Shares the secrets of the folder with the other nodes of the storage, and takes over their ring of signing keys.
    static func share(
        _ settings: ServiceSettings, folder: String, id: FolderID, _ file: KeyRingFile, _ keys: CurrentKeyRing,
        _ storage: any OpenStorage, now: @escaping @Sendable () -> Timestamp, _ logger: Logger
    ) async throws -> SharedKeyRing? {
        guard let shared = storage.shared, case .postgres(let server) = settings.storage else { return nil }
        keys.mayLackKeys(while: { !shared.isFresh })
        guard !(storage is UnavailableStorage) else { return nil }
        let secrets = try await ClusterSecrets.share(
            folder: folder, id: id, server, given: settings.clusterKey)
        return try await SharedKeyRing(secrets, file: file, current: keys, shared: shared, now: now, logger: logger)
    }

    /// Notes the lifetime of new links before the first one is signed. If the setting is shorter later, their key must
    /// not be taken for one that signed no links of this lifetime.
    ///
    /// A full disk must not prevent the service from starting: then this is noted with the next change of the ring.
    /// Nodes on a server share their ring: their folders are written to only when the ring is made.
    static func note(
        _ settings: ServiceSettings, _ keys: CurrentKeyRing, _ file: KeyRingFile, _ logger: Logger
    ) {
        do {
            try file.note(keys.value)
        } catch {
            logger.warning("the signing keys cannot be noted in key-fingerprints.json", metadata: ["error": "\(error)"])
        }
        let ring = keys.value.signingLinks(forDays: settings.linkLifetimeInDays)
        guard ring.signingKey.maximumLifetimeInDays != keys.value.signingKey.maximumLifetimeInDays else { return }
        do {
            try file.write(ring)
        } catch {
            logger.warning("the lifetime of links is not noted with their key", metadata: ["error": "\(error)"])
        }
        keys.replace(with: ring)
    }

    /// Notes the lifetime of links in the ring that nodes share, if a node or its maker noted a lifetime before: earlier
    /// versions cannot read it, and nodes of those versions may run until this node rotates the ring for the first time.
    static func note(
        _ settings: ServiceSettings, _ keys: CurrentKeyRing, inShared store: SharedKeyRing?
    ) async throws {
        guard let store else { return }
        // Repeated if another node has changed the ring meanwhile.
        while let noted = keys.value.signingKey.maximumLifetimeInDays, noted < settings.linkLifetimeInDays {
            let ring = keys.value
            do {
                try await store.write(ring.signingLinks(forDays: settings.linkLifetimeInDays), replacing: ring)
            } catch is KeyRingMoved {}
        }
    }
}
