import COpenSSL

/// Verifies signatures that an ``Ed25519PrivateKey`` made (RFC 8032, 5.1.7).
package struct Ed25519PublicKey: Sendable {
    static let length = 32
    static let signatureLength = 64

    package let bytes: InlineArray<32, UInt8>

    /// - Returns: `nil` unless there are 32 bytes. If the bytes are no point of the curve, the key accepts no
    ///   signature.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = InlineArray { bytes[$0] }
    }

    init(_ bytes: InlineArray<32, UInt8>) { self.bytes = bytes }

    /// Whether `signature` was made over all of `message`. A signature of another length than 64 bytes is invalid.
    package func verifies(_ signature: Span<UInt8>, of message: Span<UInt8>) -> Bool {
        guard signature.count == Self.signatureLength else { return false }
        return bytes.span.withUnsafeBufferPointer { key in
            message.withUnsafeBufferPointer { message in
                signature.withUnsafeBufferPointer { signature in
                    cl_ed25519_verify(key.baseAddress, message.baseAddress, message.count, signature.baseAddress)
                }
            }
        }
    }
}

extension Ed25519PublicKey: Hashable {
    package static func == (one: Ed25519PublicKey, other: Ed25519PublicKey) -> Bool {
        one.bytes.indices.allSatisfy { one.bytes[$0] == other.bytes[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        for index in bytes.indices { hasher.combine(bytes[index]) }
    }
}
