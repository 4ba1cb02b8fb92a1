package import Cryptography
package import Identifiers

/// The root secrets of tracking IDs: one signs, the others only open what they signed before.
///
/// An immutable value. Rotating and retiring make another, which the holders of sealers and openers swap whole.
package struct KeyRing: Sendable {
    package static let secretLength = 32

    /// Everything there is to keep of one key, in the clear, for the store that writes it to a file of its own.
    package struct Key: Sendable {
        package let id: UInt8
        /// ``KeyRing/secretLength`` random bytes, from which the signing and the sealing key are derived.
        package let secret: SecretBytes
        package let createdAt: Timestamp
        /// When the next key took over, `nil` for the one that signs now.
        package let signedUntil: Timestamp?
        /// The longest lifetime, in days, of the links that it signed; `nil` where that was not noted: earlier versions did
        /// not.
        package let longestLifetimeInDays: Int?

        package init(
            id: UInt8, secret: SecretBytes, createdAt: Timestamp, signedUntil: Timestamp? = nil,
            longestLifetimeInDays: Int? = nil
        ) {
            self.id = id
            self.secret = secret
            self.createdAt = createdAt
            self.signedUntil = signedUntil
            self.longestLifetimeInDays = longestLifetimeInDays
        }
    }

    /// Every key that opens, in the order of their making.
    package let keys: [Key]
    package let signingKey: Key

    /// A ring of keys that were stored, in the order of their making.
    package init(keys: [Key]) throws(TrackingIDError) {
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
    }

    package subscript(id: UInt8) -> Key? { keys.first { $0.id == id } }
}
