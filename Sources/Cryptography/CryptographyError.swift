/// Why a cryptographic tool is unavailable, or why a text does not encode valid bytes.
///
/// No case contains a byte of the refused input.
package enum CryptographyError: Error, Equatable, CustomStringConvertible {
    /// The installed and configured libcrypto has no such algorithm, or no memory for it.
    case unavailable(Algorithm)
    case keyLength(expected: Int)
    case derivedLength(allowed: ClosedRange<Int>)
    case base64URL(Base64URL.Fault)
    case hexadecimal
    case base64

    package enum Algorithm: String, Sendable {
        case hmac = "HMAC-SHA-256"
        case hkdf = "HKDF-SHA-256"
        case aes = "AES-256"
        case ed25519 = "Ed25519"
    }

    package var description: String {
        switch self {
        case .unavailable(let algorithm): "\(algorithm.rawValue) is not available from OpenSSL's libcrypto"
        case .keyLength(let expected): "a key must be \(expected) bytes"
        case .derivedLength(let allowed): "can derive \(allowed.lowerBound) to \(allowed.upperBound) bytes"
        case .base64URL(let fault): "is not base64url without padding: \(fault)"
        case .hexadecimal: "must be lower-case hexadecimal, two digits a byte"
        case .base64: "is not Base64 as RFC 4648, 4 writes it"
        }
    }
}
