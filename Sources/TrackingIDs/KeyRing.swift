package import Cryptography
package import Identifiers

/// The root secrets of tracking IDs: one signs, the others only open what they signed earlier.
///
/// An immutable value. Rotating and retiring make a new one, and the owners of sealers and openers replace the whole
/// ring.
package struct KeyRing: Sendable {
    package static let secretLength = 32

    /// Everything to store of one key, in the clear, for the store that writes it to a file of its own.
    package struct Key: Sendable {
        package let id: UInt8
        /// ``KeyRing/secretLength`` random bytes, from which the signing and the sealing key are derived.
        package let secret: SecretBytes
        package let createdAt: Timestamp
        /// When the next key took over; `nil` for the key that signs now.
        package let signedUntil: Timestamp?
        /// The longest lifetime, in days, of the links that it signed; `nil` if it was not noted, as in earlier
        /// versions.
        package let maximumLifetimeInDays: Int?

        package init(
            id: UInt8, secret: SecretBytes, createdAt: Timestamp, signedUntil: Timestamp? = nil,
            maximumLifetimeInDays: Int? = nil
        ) {
            self.id = id
            self.secret = secret
            self.createdAt = createdAt
            self.signedUntil = signedUntil
            self.maximumLifetimeInDays = maximumLifetimeInDays
        }
    }

    /// Every key that opens, in the order in which they were made.
    package let keys: [Key]
    package let signingKey: Key
    /// The marks of retired keys, in the order in which they were retired: if another holder of the ring still has such
    /// a key, it must not bring it back. `nil` in a ring of an earlier version, which did not note them.
    package let retired: [KeyFingerprint]?

    /// The maximum number of marks of retired keys in a ring; a new mark then replaces the oldest one.
    package static let maximumRetiredCount = 4096

    /// A ring of stored keys, in the order in which they were made.
    package init(keys: [Key], retired: [KeyFingerprint]? = nil) throws(TrackingIDError) {
        var seen: Set<UInt8> = []
        for key in keys {
            guard key.secret.count == Self.secretLength else { throw .keySecretLength(id: key.id) }
            guard seen.insert(key.id).inserted else { throw .duplicateKey(id: key.id) }
        }
        let signing = keys.filter { $0.signedUntil == nil }
        guard let signingKey = signing.first, signing.count == 1 else {
            throw .notOneSigningKey(found: signing.count)
        }
        self.keys = keys
        self.signingKey = signingKey
        self.retired = retired
    }

    /// The caller must have checked the keys.
    init(keys: [Key], signingKey: Key, retired: [KeyFingerprint]?) {
        self.keys = keys
        self.signingKey = signingKey
        self.retired = retired
    }

    package subscript(id: UInt8) -> Key? { keys.first { $0.id == id } }
}
