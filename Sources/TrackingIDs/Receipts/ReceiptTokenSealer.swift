package import Cryptography

/// Seals receipt tokens with the key of a ring that signs, and opens those that any key of it signed.
///
/// It owns contexts of libcrypto and is not for two threads at once: make one for each thread or lock, and anew when the
/// ring is rotated or a key retired.
package final class ReceiptTokenSealer {
    private let signing: ReceiptTokenCipher
    private let ciphers: [UInt8: ReceiptTokenCipher]

    package init(keyRing: KeyRing) throws(CryptographyError) {
        signing = try ReceiptTokenCipher(keyRing.signingKey)
        var ciphers = [keyRing.signingKey.id: signing]
        for key in keyRing.keys where key.id != keyRing.signingKey.id { ciphers[key.id] = try ReceiptTokenCipher(key) }
        self.ciphers = ciphers
    }

    /// 51 characters of base64url.
    package func seal(_ token: ReceiptToken) -> String {
        let sealed = signing.seal(token)
        return Base64URL.encode(sealed.indices.map { sealed[$0] })
    }

    /// Opens 51 characters as they stand in a path. No other spelling of the same bytes is opened.
    package func open(_ text: some StringProtocol) -> ReceiptTokenOpening {
        var sealed = InlineArray<38, UInt8>(repeating: 0)
        var bytes = sealed.mutableSpan
        if let fault = Base64URL.decode(Array(text.utf8).span, into: &bytes) {
            return .refused(TrackingIDRefusal(fault))
        }
        guard sealed[ReceiptTokenFormat.versionOffset] == ReceiptTokenFormat.version else { return .refused(.version) }
        guard let cipher = ciphers[sealed[ReceiptTokenFormat.keyIDOffset]] else { return .refused(.unknownKey) }
        return cipher.open(sealed.span)
    }
}

@available(*, unavailable)
extension ReceiptTokenSealer: Sendable {}
