package import Cryptography
package import Identifiers
import Synchronization

/// Seals the secrets of endpoints before they are stored, so that a copy of the database alone does not allow signing.
///
///     1 byte version, 16 bytes nonce, as many bytes as the secret has, 16 bytes tag
///
/// The keystream is HKDF-SHA-256 over a key that is derived for this use, with the nonce as salt. The tag is the first
/// half of HMAC-SHA-256 over organization, version, nonce and ciphertext, so that a secret that was moved to another
/// organization cannot be opened.
package final class EndpointSecretSeal: Sendable {
    private static let version: UInt8 = 1
    private static let nonceLength = 16
    private static let tagLength = 16

    private let key: SecretBytes
    /// Guards the key's state, which one thread at a time may use; held for one tag.
    private let authentication: Mutex<HMACSHA256>

    /// - Parameter key: the erasure key, which all nodes have and which is in no database.
    package init(erasureKey: SecretBytes) throws(CryptographyError) {
        key = try HKDF.derive(from: erasureKey, info: Array("consentlink/endpoint-secret/encryption/1".utf8))
        authentication = Mutex(
            try HMACSHA256(
                key: HKDF.derive(from: erasureKey, info: Array("consentlink/endpoint-secret/authentication/1".utf8))))
    }

    package func seal(
        _ secret: EndpointSecret, of organization: OrganizationID, using random: inout some RandomNumberGenerator
    ) throws(CryptographyError) -> [UInt8] {
        let nonce = random.bytes(Self.nonceLength)
        let plain = secret.bytes.withSpan { span in span.indices.map { span[$0] } }
        let sealed = [Self.version] + nonce + (try applied(to: plain, nonce))
        return sealed + tag(of: sealed[...], organization)
    }

    /// - Returns: `nil` unless the secret was sealed with this key for this organization.
    package func open(_ sealed: [UInt8], of organization: OrganizationID) throws(CryptographyError) -> EndpointSecret? {
        let start = 1 + Self.nonceLength
        guard sealed.count > start + Self.tagLength, sealed[0] == Self.version else { return nil }
        let content = sealed.dropLast(Self.tagLength)
        guard constantTimeEqual(tag(of: content, organization), Array(sealed.suffix(Self.tagLength))) else {
            return nil
        }
        return EndpointSecret(try applied(to: Array(content[start...]), Array(content[1..<start])))
    }

    private func applied(to bytes: [UInt8], _ nonce: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let stream = try HKDF.derive(from: key, salt: nonce, info: Array("stream".utf8), count: max(bytes.count, 1))
        return stream.withSpan { stream in bytes.indices.map { bytes[$0] ^ stream[$0] } }
    }

    private func tag(of sealed: ArraySlice<UInt8>, _ organization: OrganizationID) -> [UInt8] {
        let input = Array("\(organization)\n".utf8) + sealed
        return authentication.withLock { key in
            let tag = key.tag(of: input.span)
            return (0..<Self.tagLength).map { tag[$0] }
        }
    }
}
