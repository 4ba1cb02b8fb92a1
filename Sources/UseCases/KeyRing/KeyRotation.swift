import Consent
import Cryptography
package import Identifiers
package import Logging
package import TrackingIDs
import Waiting

/// Rotates and retires signing keys, one change after another. A change is stored before it is used.
package actor KeyRotation {
    private let current: CurrentKeyRing
    private let store: any KeyRingStore
    private let linkLifetimeInDays: Int
    private let logger: Logger
    private let earliest: @Sendable (Timestamp) -> Timestamp?
    /// The changes. Two at once would begin with the same ring.
    private let changes = SerialWork<Resource>()

    /// What is changed.
    private enum Resource {
        case keyRing
    }

    /// - Parameter earliest: the earliest possible real time at a service time, because the clock may be ahead; `nil`
    ///   while the clock is not trusted.
    package init(
        current: CurrentKeyRing, store: any KeyRingStore, linkLifetimeInDays: Int, logger: Logger,
        earliest: @escaping @Sendable (Timestamp) -> Timestamp? = { $0 }
    ) {
        self.current = current
        self.store = store
        self.linkLifetimeInDays = linkLifetimeInDays
        self.logger = logger
        self.earliest = earliest
    }

    /// A key, and until when clicks on links that it signed may be recorded; `nil` for the key that signs.
    package struct Listing: Sendable {
        package let key: KeyRing.Key
        package let linksAliveUntil: Timestamp?
    }

    package func list() -> [Listing] {
        current.value.keys.map { Listing(key: $0, linksAliveUntil: linksAliveUntil($0)) }
    }

    /// Adds a key that signs from now on. Durable on return.
    ///
    /// If nodes share the ring, the key is announced first, so that every node can open with it before any node signs
    /// with it. If a key was announced before and a node did not get it in time, the rotation continues with that key.
    ///
    /// - Throws: `TrackingIDError.noKeyIDFree` if the ring is full, ``RotationRefusal``, ``KeyRingMoved``.
    package func rotate(at now: Timestamp) async throws -> KeyRing.Key {
        try await changes.run(of: .keyRing) { try await self.changeSigningKey(at: now) }
    }

    private func changeSigningKey(at now: Timestamp) async throws -> KeyRing.Key {
        guard store.isShared else {
            return try await change { ring in
                var generator = SecureRandom()
                return noting(try noting(ring).rotated(at: now, using: &generator))
            }.signingKey
        }
        if current.value.announcedKey == nil {
            _ = try await change { ring in
                var generator = SecureRandom()
                return try noting(ring).announcing(at: now, using: &generator)
            }
        }
        let missing = try await store.waitForEveryNode()
        guard missing.isEmpty else { throw RotationRefusal(nodes: missing) }
        return try await change { ring in
            guard ring.announcedKey != nil else { throw KeyRingMoved() }
            return noting(noting(ring).signingWithAnnouncedKey(at: now))
        }.signingKey
    }

    /// A ring that records how long links of its key may live.
    private func noting(_ ring: KeyRing) -> KeyRing { ring.signingLinks(forDays: linkLifetimeInDays) }

    /// Must be called within ``changes``.
    private func change(_ body: (KeyRing) throws -> KeyRing) async throws -> KeyRing {
        let old = current.value
        let ring = try body(old)
        try await store.write(ring, replacing: old)
        if !store.isShared { current.replace(with: ring) }
        return ring
    }

    /// The new key is announced but does not sign, because some nodes do not have it yet or are not running.
    package struct RotationRefusal: Error {
        package let nodes: [String]
    }

    /// Removes a key. Durable on return: links that it signed no longer work from then on.
    ///
    /// If nodes share the ring, waits a while until every running node has removed it. A node that does not in that
    /// time opens links with the key until it reads the ring.
    ///
    /// - Parameter force: retires the key even if links that it signed may still be followed.
    /// - Returns: the nodes that may not have removed the key. The log has them, too.
    /// - Throws: ``RetireRefusal``, ``KeyRingMoved``.
    package func retire(_ id: UInt8, force: Bool, at now: Timestamp) async throws -> RetiredKeyHolders {
        try await changes.run(of: .keyRing) { try await self.removeKey(id, force: force, at: now) }
    }

    private func removeKey(_ id: UInt8, force: Bool, at now: Timestamp) async throws -> RetiredKeyHolders {
        guard let key = current.value[id] else { throw RetireRefusal.unknown }
        guard key.signedUntil != nil else { throw RetireRefusal.signs }
        if !force, let end = linksAliveUntil(key) {
            guard let earliest = earliest(now) else { throw RetireRefusal.clockNotTrusted }
            guard end <= earliest else { throw RetireRefusal.alive(until: end) }
        }
        _ = try await change { try $0.retiring(id) }
        return store.isShared ? await holders(of: id) : .none
    }

    /// Does not throw: the key is retired, whether or not the other nodes can be asked.
    private func holders(of id: UInt8) async -> RetiredKeyHolders {
        var metadata: Logger.Metadata = ["signingKey": "\(id)"]
        let holders: RetiredKeyHolders
        do {
            holders = RetiredKeyHolders(try await store.waitForEveryNode())
        } catch {
            holders = .unknown
            metadata["error"] = "\(error)"
        }
        if let nodes = holders.detail {
            metadata["nodes"] = "\(nodes)"
            logger.warning("nodes may still open links with a retired signing key", metadata: metadata)
        }
        return holders
    }

    package enum RetireRefusal: Error {
        /// The ring has no key with this id.
        case unknown
        /// It is the key that signs.
        case signs
        /// The clock was ahead, so it is not known whether links that the key signed have ended.
        case clockNotTrusted
        /// Links that it signed may be followed until this time.
        case alive(until: Timestamp)
    }

    /// The link lifetime also limits the `expiresAt` of messages, so no message keeps a key alive for longer. It may
    /// have been longer while the key signed. The links of consent requests have a lifetime of their own.
    private func linksAliveUntil(_ key: KeyRing.Key) -> Timestamp? {
        guard let signedUntil = key.signedUntil else { return nil }
        let lifetime = max(linkLifetimeInDays, key.maximumLifetimeInDays ?? 0, ConsentRequest.lifetimeInDays)
        let expiry = try? LinkExpiry(messageExpiresAt: nil, composedAt: signedUntil, lifetimeInDays: lifetime)
        // No link carries a later time, even if the clock was ahead of it.
        return (expiry ?? .latest).timestamp
    }
}
