/// Why an expiry or a key ring cannot be made as requested.
package enum TrackingIDError: Error, Equatable, CustomStringConvertible {
    case expiryOutOfRange
    case keySecretLength(id: UInt8)
    case duplicateKey(id: UInt8)
    case notOneSigningKey(found: Int)
    case unknownKey(id: UInt8)
    case signingKeyInUse(id: UInt8)
    case noKeyIDFree

    package var description: String {
        switch self {
        case .expiryOutOfRange: "must be from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z"
        case .keySecretLength(let id): "the secret of key \(id) must be \(KeyRing.secretLength) bytes"
        case .duplicateKey(let id): "key \(id) is there twice"
        case .notOneSigningKey(let found): "one key must sign, not \(found)"
        case .unknownKey(let id): "there is no key \(id)"
        case .signingKeyInUse(let id): "key \(id) signs; rotate before it is retired"
        case .noKeyIDFree: "all 256 key ids are in use; retire one before rotating"
        }
    }
}
