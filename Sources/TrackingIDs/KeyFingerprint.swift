import Cryptography

/// Tells a signing key from every other one, also from a later key with the same id. It reveals nothing of the secret.
package struct KeyFingerprint: Hashable, Sendable {
    static let length = SHA256.hashLength

    /// ``length`` bytes.
    package let bytes: [UInt8]

    /// - Returns: `nil` if there are more bytes or fewer.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }
}

extension KeyRing.Key {
    /// SHA-256 of a fixed text and the secret.
    package var fingerprint: KeyFingerprint {
        var hash = SHA256()
        hash.update(Array("consentlink/key-mark/".utf8))
        secret.withSpan { hash.update($0) }
        guard let fingerprint = KeyFingerprint(hash.finish()) else { preconditionFailure("a hash of another length") }
        return fingerprint
    }
}
