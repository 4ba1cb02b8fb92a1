import COpenSSL

/// HMAC-SHA-256 (RFC 2104) under one key, which is hashed once and then serves any number of messages.
///
/// A message shorter than 56 bytes costs two compressions of SHA-256. Belongs to one thread at a time.
package struct HMACSHA256: ~Copyable {
    /// In bytes.
    package static let tagLength = 32
    package typealias Tag = InlineArray<32, UInt8>

    private let handle: OpaquePointer

    /// - Parameter key: of any length; 32 random bytes are recommended (RFC 2104, 3).
    package init(key: SecretBytes) throws(CryptographyError) {
        guard let made = key.withUnsafeBufferPointer({ cl_hmac_sha256_new($0.baseAddress, $0.count) }) else {
            throw .unavailable(.hmac)
        }
        handle = made
    }

    deinit { cl_hmac_sha256_free(handle) }

    package borrowing func tag(of message: Span<UInt8>) -> Tag {
        var tag = Tag(repeating: 0)
        var output = tag.mutableSpan
        let done = message.withUnsafeBufferPointer { message in
            output.withUnsafeMutableBufferPointer { tag in
                cl_hmac_sha256_tag(handle, message.baseAddress, message.count, tag.baseAddress)
            }
        }
        requireDone(done, "HMAC-SHA-256")
        return tag
    }
}
