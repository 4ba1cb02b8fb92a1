import Cryptography
package import Identifiers

extension KeyRing {
    /// The ring of a new installation, whose one key has the id 1.
    ///
    /// - Parameter generator: must be cryptographically secure.
    package init(at now: Timestamp, using generator: inout some RandomNumberGenerator) {
        let key = Key(madeAt: now, id: 1, using: &generator)
        self.init(keys: [key], signingKey: key, retired: [])
    }

    /// This ring with a new key that signs; the former signing key only opens.
    ///
    /// The new key gets the next free id after that of the signing key. The id of a retired key that had signed comes
    /// back after 256 rotations at the earliest. The secret is always another one. A key that was announced will not
    /// sign.
    package func rotated(
        at now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) throws(TrackingIDError) -> KeyRing {
        let candidates = (1...256).lazy.map { signingKey.id &+ UInt8(truncatingIfNeeded: $0) }
        guard let id = candidates.first(where: { self[$0] == nil }) else { throw .noKeyIDFree }
        let key = Key(madeAt: now, id: id, using: &generator)
        return KeyRing(
            keys: keys.map { former in
                if former.id == signingKey.id { return former.closed(at: now) }
                return former.id == announcedKey?.id ? former.ended(at: now) : former
            } + [key], signingKey: key, retired: retired ?? [])
    }

    /// The key that opens already and does not sign yet; `nil` unless one was announced.
    package var announcedKey: Key? { keys.last.flatMap { $0.isMarked ? $0 : nil } }

    /// This ring with a new key that only opens, until ``signingWithAnnouncedKey(at:)``.
    package func announcing(
        at now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) throws(TrackingIDError) -> KeyRing {
        let rotated = try rotated(at: now, using: &generator)
        return KeyRing(
            keys: keys + [rotated.signingKey.closed(at: rotated.signingKey.createdAt)], signingKey: signingKey,
            retired: rotated.retired)
    }

    /// This ring with the announced key signing; the former signing key only opens.
    package func signingWithAnnouncedKey(at now: Timestamp) -> KeyRing {
        guard let announced = announcedKey else { return self }
        let signing = Key(
            id: announced.id, secret: announced.secret, createdAt: announced.createdAt,
            maximumLifetimeInDays: announced.maximumLifetimeInDays)
        return KeyRing(
            keys: keys.map { key in
                switch key.id {
                case announced.id: signing
                case signingKey.id: key.closed(at: now)
                default: key
                }
            }, signingKey: signing, retired: retired)
    }

    /// This ring with the note that its signing key gives links a lifetime of so many days. A longer lifetime that was
    /// noted before stays.
    package func signingLinks(forDays days: Int) -> KeyRing {
        guard days > signingKey.maximumLifetimeInDays ?? 0 else { return self }
        let signing = Key(
            id: signingKey.id, secret: signingKey.secret, createdAt: signingKey.createdAt, maximumLifetimeInDays: days)
        return KeyRing(
            keys: keys.map { $0.id == signing.id ? signing : $0 }, signingKey: signing, retired: retired)
    }

    /// This ring without the key `id`, of which it keeps the mark: links that the key signed no longer open.
    ///
    /// The caller must check whether such links may still be valid; ``Key/signedUntil`` is the latest time of one.
    package func retiring(_ id: UInt8) throws(TrackingIDError) -> KeyRing {
        guard let key = self[id] else { throw .unknownKey(id: id) }
        guard id != signingKey.id else { throw .signingKeyInUse(id: id) }
        let fingerprints = (retired ?? []) + [key.fingerprint]
        return KeyRing(
            keys: keys.filter { $0.id != id }, signingKey: signingKey,
            retired: Array(fingerprints.suffix(Self.maximumRetiredCount)))
    }
}

extension KeyRing.Key {
    fileprivate init(madeAt now: Timestamp, id: UInt8, using generator: inout some RandomNumberGenerator) {
        self.init(id: id, secret: SecretBytes(count: KeyRing.secretLength, using: &generator), createdAt: now)
    }

    /// Whether it is marked as announced, which counts for the last key of a ring alone.
    var isMarked: Bool { signedUntil == createdAt }

    /// The key as one that does not sign any more, and is not marked as announced.
    func ended(at now: Timestamp) -> Self { closed(at: max(now, createdAt.advanced(byMilliseconds: 1))) }

    func closed(at now: Timestamp) -> Self {
        Self(
            id: id, secret: secret, createdAt: createdAt, signedUntil: now, maximumLifetimeInDays: maximumLifetimeInDays
        )
    }
}
