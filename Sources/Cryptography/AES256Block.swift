import COpenSSL

/// AES-256 (FIPS 197) of single blocks under one key: a permutation of 16 bytes, without mode or padding.
///
/// Equal plaintext blocks give equal ciphertext blocks, so it suits data that is unique by itself and not longer data.
/// It does not authenticate. A value belongs to one thread at a time.
package struct AES256Block: ~Copyable {
    static let keyLength = 32
    /// In bytes.
    package static let blockLength = 16
    package typealias Block = InlineArray<16, UInt8>

    private let handle: OpaquePointer

    /// - Parameter key: 32 bytes.
    package init(key: SecretBytes) throws(CryptographyError) {
        guard key.count == Self.keyLength else { throw .keyLength(expected: Self.keyLength) }
        guard let made = key.withUnsafeBufferPointer({ cl_aes256_new($0.baseAddress) }) else {
            throw .unavailable(.aes)
        }
        handle = made
    }

    deinit { cl_aes256_free(handle) }

    package borrowing func encrypt(_ block: Block) -> Block {
        transform(block, "AES-256 encryption", with: cl_aes256_encrypt)
    }

    package borrowing func decrypt(_ block: Block) -> Block {
        transform(block, "AES-256 decryption", with: cl_aes256_decrypt)
    }

    private borrowing func transform(
        _ block: Block,
        _ operation: StaticString,
        with operate: (OpaquePointer?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Bool
    ) -> Block {
        var block = block
        var bytes = block.mutableSpan
        let done = bytes.withUnsafeMutableBufferPointer { operate(handle, $0.baseAddress, $0.baseAddress) }
        requireDone(done, operation)
        return block
    }
}
