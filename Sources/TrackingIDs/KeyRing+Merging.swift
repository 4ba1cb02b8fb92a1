package import Identifiers

extension KeyRing {
    /// This ring, which may be in an earlier state than `known`, with what another holder knows since then.
    ///
    /// It gets the keys of `known` that it lacks. They only open, because other holders of this ring may not have them
    /// yet. It does not get back a key that was retired here, and loses a key that `known` says was retired, unless that
    /// is the key that signs.
    ///
    /// The announced key of `known` stays announced only if this ring has none and did not sign with a newer key.
    ///
    /// A ring of an earlier version says nothing of retired keys. If `known` is one, only those of its keys come back
    /// that are newer than all keys of this ring.
    package func merging(keysOf known: KeyRing, at now: Timestamp) -> MergedKeyRing {
        let (fingerprints, knownFingerprints) = (Set(retired ?? []), Set(known.retired ?? []))
        let retiredSince = keys.filter { knownFingerprints.contains($0.fingerprint) }
        let held = keys.filter { key in key.id == signingKey.id || !retiredSince.contains { $0.id == key.id } }
        let missing = known.keys.filter { key in
            !fingerprints.contains(key.fingerprint) && !held.contains { $0.secret == key.secret }
        }
        let contradicted = missing.filter { key in held.contains { $0.id == key.id } }
        let free = missing.filter { key in !held.contains { $0.id == key.id } }
        let newest = keys.map(\.createdAt).max() ?? .distantPast
        let regained = free.filter { known.retired != nil || $0.createdAt > newest }
        // An announced key stays the last one.
        let announced = announcedKey.flatMap { announced in held.first { $0.id == announced.id } }
        let signsNext = announced == nil ? known.announcedKey : nil
        let opening = regained.map { key in
            let isAnnounced = key.id == signsNext?.id && key.createdAt >= signingKey.createdAt
            return key.signedUntil == nil || key.isMarked && !isAnnounced ? key.ended(at: now) : key
        }
        return MergedKeyRing(
            ring: KeyRing(
                keys: held.filter { $0.id != announced?.id } + opening + (announced.map { [$0] } ?? []),
                signingKey: signingKey, retired: fingerprintsOfAll(with: known)),
            before: self, known: known, regained: regained.map(\.id), contradicted: contradicted.map(\.id),
            unaccounted: free.map(\.id).filter { id in !regained.contains { $0.id == id } },
            retired: retiredSince.map(\.id).filter { $0 != signingKey.id },
            signsAgain: retiredSince.contains { $0.id == signingKey.id })
    }

    /// The marks of both rings. Where there is no room for all, those that only the other ring has are dropped first.
    private func fingerprintsOfAll(with known: KeyRing) -> [KeyFingerprint]? {
        guard retired != nil || known.retired != nil else { return nil }
        let own = retired ?? []
        let (has, signing) = (Set(own), signingKey.fingerprint)
        let all = (known.retired ?? []).filter { !has.contains($0) } + own
        return Array(all.filter { $0 != signing }.suffix(Self.maximumRetiredCount))
    }
}
