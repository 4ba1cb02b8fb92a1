package import Cryptography

/// Seals tracking IDs with the key of a ring that signs.
///
/// It owns contexts of libcrypto, so two threads must not use it at once: make one for each event loop, thread or task,
/// and a new one when the ring is rotated.
package final class TrackingIDSealer {
    private let cipher: TrackingIDCipher

    package init(keyRing: KeyRing) throws(CryptographyError) {
        cipher = try TrackingIDCipher(keyRing.signingKey)
    }

    /// The 40 bytes of the ID, for formats that do not write them in base64url.
    package func bytes(of id: TrackingID) -> InlineArray<40, UInt8> { cipher.seal(id) }

    /// Writes the ID over all of `text`, which must have 54 bytes. Allocates nothing.
    package func seal(_ id: TrackingID, into text: inout MutableSpan<UInt8>) {
        Base64URL.encode(cipher.seal(id).span, into: &text)
    }

    /// Writes the ID as 54 characters at the end of `text`; allocates nothing if `text` has the capacity.
    package func seal(_ id: TrackingID, appendingTo text: inout [UInt8]) {
        var characters = InlineArray<54, UInt8>(repeating: 0)
        var output = characters.mutableSpan
        seal(id, into: &output)
        characters.span.withUnsafeBufferPointer { text.append(contentsOf: $0) }
    }

    package func seal(_ id: TrackingID) -> String {
        var text: [UInt8] = []
        seal(id, appendingTo: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

@available(*, unavailable)
extension TrackingIDSealer: Sendable {}
