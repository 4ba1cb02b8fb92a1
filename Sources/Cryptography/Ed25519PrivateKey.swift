import COpenSSL

/// Signs with Ed25519 (RFC 8032, 5.1.6): the same message gives the same signature.
package final class Ed25519PrivateKey: @unchecked Sendable {
    // Sendable: libcrypto's key is made by the initialiser, freed with the last reference, and only read in between.
    private let handle: OpaquePointer

    package let publicKey: Ed25519PublicKey

    /// - Parameter seed: the 32 bytes that RFC 8032 calls the private key. The caller keeps them; libcrypto overwrites
    ///   its copy when it frees it.
    package init(seed: SecretBytes) throws(CryptographyError) {
        guard seed.count == Ed25519PublicKey.length else { throw .keyLength(expected: Ed25519PublicKey.length) }
        guard let made = seed.withUnsafeBufferPointer({ cl_ed25519_new($0.baseAddress) }) else {
            throw .unavailable(.ed25519)
        }
        handle = made
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        var output = bytes.mutableSpan
        let done = output.withUnsafeMutableBufferPointer { cl_ed25519_public_key(made, $0.baseAddress) }
        requireDone(done, "the public key of Ed25519")
        publicKey = Ed25519PublicKey(bytes)
    }

    deinit { cl_ed25519_free(handle) }

    /// 64 bytes.
    func signature(of message: Span<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Ed25519PublicKey.signatureLength) { signature, count in
            let done = message.withUnsafeBufferPointer {
                cl_ed25519_sign(handle, $0.baseAddress, $0.count, signature.baseAddress)
            }
            requireDone(done, "an Ed25519 signature")
            count = Ed25519PublicKey.signatureLength
        }
    }

    package func signature(of message: [UInt8]) -> [UInt8] { signature(of: message.span) }
}
