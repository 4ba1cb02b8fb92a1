import Cryptography
import Identifiers
import Messages
import TrackingIDs

/// Rotates and retires signing keys: on disk first, then for everybody who seals and opens.
actor KeyRingKeeper {
    private let current: CurrentKeyRing
    private let file: KeyRingFile
    private let messages: any MessageStore
    private let linkLifetimeInDays: Int

    init(current: CurrentKeyRing, file: KeyRingFile, messages: any MessageStore, linkLifetimeInDays: Int) {
        self.current = current
        self.file = file
        self.messages = messages
        self.linkLifetimeInDays = linkLifetimeInDays
    }

    /// A key and until when links that it signed may record; `nil` for the key that signs.
    struct Listing {
        let key: KeyRing.Key
        let linksAliveUntil: Timestamp?
    }

    func list() async throws -> [Listing] {
        let latest = try await messages.latestExpiry()
        return try current.value.keys.map {
            Listing(key: $0, linksAliveUntil: try linksAliveUntil($0, latestExpiry: latest))
        }
    }

    func rotate(at now: Timestamp) throws -> KeyRing.Key {
        var generator = SecureRandom()
        let fresh = try current.value.rotated(at: now, using: &generator)
        try file.write(fresh)
        current.replace(with: fresh)
        return fresh.signingKey
    }

    /// - Parameter force: retires the key although links signed with it may be alive; they are then not found.
    func retire(_ id: UInt8, force: Bool, at now: Timestamp) async throws {
        let latest = try await messages.latestExpiry()
        guard let key = current.value[id] else { throw RetireRefusal.unknown }
        guard key.signedUntil != nil else { throw RetireRefusal.signs }
        if !force, let end = try linksAliveUntil(key, latestExpiry: latest), end > now {
            throw RetireRefusal.alive(until: end)
        }
        let fresh = try current.value.retiring(id)
        try file.write(fresh)
        current.replace(with: fresh)
    }

    enum RetireRefusal: Error {
        case unknown
        case signs
        case alive(until: Timestamp)
    }

    private func linksAliveUntil(_ key: KeyRing.Key, latestExpiry: Timestamp?) throws -> Timestamp? {
        guard let signedUntil = key.signedUntil else { return nil }
        let lifetime = try LinkExpiry(
            messageExpiresAt: nil, composedAt: signedUntil, lifetimeInDays: linkLifetimeInDays)
        return max(lifetime.timestamp, latestExpiry ?? .distantPast)
    }
}
