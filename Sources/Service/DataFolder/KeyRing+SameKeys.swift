import TrackingIDs

extension KeyRing {
    /// Whether both rings have the same keys, of which the same one signs.
    func hasSameKeys(as other: KeyRing) -> Bool {
        keys.count == other.keys.count && signingKey.id == other.signingKey.id
            && keys.allSatisfy { key in other[key.id].map { $0.secret == key.secret } ?? false }
    }
}
