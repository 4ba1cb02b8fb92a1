import Cryptography
import Identifiers
import TrackingIDs

/// Rotates and retires signing keys: on disk first, then for everybody who seals and opens.
actor KeyRingKeeper {
    private let current: CurrentKeyRing
    private let file: KeyRingFile
    private let linkLifetimeInDays: Int

    init(current: CurrentKeyRing, file: KeyRingFile, linkLifetimeInDays: Int) {
        self.current = current
        self.file = file
        self.linkLifetimeInDays = linkLifetimeInDays
    }

    /// A key and until when links that it signed may record; `nil` for the key that signs.
    struct Listing {
        let key: KeyRing.Key
        let linksAliveUntil: Timestamp?
    }

    func list() throws -> [Listing] {
        try current.value.keys.map { Listing(key: $0, linksAliveUntil: try linksAliveUntil($0)) }
    }

    func rotate(at now: Timestamp) throws -> KeyRing.Key {
        var generator = SecureRandom()
        let fresh = try current.value.rotated(at: now, using: &generator)
        try file.write(fresh)
        current.replace(with: fresh)
        return fresh.signingKey
    }

    /// - Parameter force: retires the key although links signed with it may be alive; they are then not found.
    func retire(_ id: UInt8, force: Bool, at now: Timestamp) throws {
        guard let key = current.value[id] else { throw RetireRefusal.unknown }
        guard key.signedUntil != nil else { throw RetireRefusal.signs }
        if !force, let end = try linksAliveUntil(key), end > now {
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

    /// The link lifetime bounds the `expiresAt` of messages, too: no message can keep a key alive for longer.
    private func linksAliveUntil(_ key: KeyRing.Key) throws -> Timestamp? {
        guard let signedUntil = key.signedUntil else { return nil }
        return try LinkExpiry(messageExpiresAt: nil, composedAt: signedUntil, lifetimeInDays: linkLifetimeInDays)
            .timestamp
    }
}
