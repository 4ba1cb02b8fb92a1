package import Cryptography

/// Opens tracking IDs that any key of a ring signed.
///
/// It owns contexts of libcrypto, so two threads must not use it at once: make one for each event loop, thread or task,
/// and a new one when the ring is rotated or a key retired. Opening itself allocates nothing; OpenSSL 3.0's HMAC copies
/// its hashing state, two small allocations.
package final class TrackingIDOpener {
    /// By key id; 256 places, so that the byte in a token is an index.
    private let ciphers: [TrackingIDCipher?]

    package init(keyRing: KeyRing) throws(CryptographyError) {
        var ciphers = [TrackingIDCipher?](repeating: nil, count: 256)
        for key in keyRing.keys { ciphers[Int(key.id)] = try TrackingIDCipher(key) }
        self.ciphers = ciphers
    }

    /// Opens 54 characters from a path. No other spelling of the same bytes opens.
    package func open(_ text: Span<UInt8>) -> TrackingIDOpening {
        var sealed = TrackingIDCipher.Sealed(repeating: 0)
        var bytes = sealed.mutableSpan
        if let fault = Base64URL.decode(text, into: &bytes) { return .refused(TrackingIDRefusal(fault)) }
        return open(bytes: sealed.span)
    }

    package func open(_ text: some StringProtocol) -> TrackingIDOpening {
        open(Array(text.utf8).span)
    }

    /// Opens the 40 bytes themselves, for formats that do not write them in base64url.
    package func open(bytes: Span<UInt8>) -> TrackingIDOpening {
        guard bytes.count == TrackingIDFormat.byteCount else { return .refused(.length) }
        guard bytes[TrackingIDFormat.versionOffset] == TrackingIDFormat.version else { return .refused(.version) }
        guard let cipher = ciphers[Int(bytes[TrackingIDFormat.keyIDOffset])] else { return .refused(.unknownKey) }
        return cipher.open(bytes)
    }
}

@available(*, unavailable)
extension TrackingIDOpener: Sendable {}
