import COpenSSL

/// SHA-256 (FIPS 180-4), in one call or piece by piece. A value belongs to one thread at a time.
package struct SHA256: ~Copyable {
    /// In bytes.
    package static let hashLength = 32

    private let handle: OpaquePointer

    package init() {
        guard let made = cl_sha256_new() else { preconditionFailure("libcrypto failed at SHA-256") }
        handle = made
    }

    deinit { cl_sha256_free(handle) }

    package mutating func update(_ bytes: Span<UInt8>) {
        let done = bytes.withUnsafeBufferPointer { cl_sha256_update(handle, $0.baseAddress, $0.count) }
        requireDone(done, "SHA-256")
    }

    package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    package typealias Digest = InlineArray<32, UInt8>

    /// Like ``finish()``, without allocation.
    package mutating func finishInline() -> Digest {
        var digest = Digest(repeating: 0)
        var output = digest.mutableSpan
        let done = output.withUnsafeMutableBufferPointer { cl_sha256_finish(handle, $0.baseAddress) }
        requireDone(done, "SHA-256")
        return digest
    }

    /// HMAC-SHA-256 (RFC 2104), for callers with another key for each message; ``HMACSHA256`` is faster with one key
    /// for many. Must be called only if nothing was hashed since the last finish.
    ///
    /// - Parameter key: at most 64 bytes.
    package mutating func hmac(of message: Span<UInt8>, under key: Span<UInt8>) -> Digest {
        var tag = Digest(repeating: 0)
        var output = tag.mutableSpan
        let done = key.withUnsafeBufferPointer { key in
            message.withUnsafeBufferPointer { message in
                output.withUnsafeMutableBufferPointer { tag in
                    cl_sha256_hmac(
                        handle, key.baseAddress, key.count, message.baseAddress, message.count, tag.baseAddress)
                }
            }
        }
        requireDone(done, "HMAC-SHA-256")
        return tag
    }

    /// The hash of everything since the last call, 32 bytes; after it the value is like new.
    package mutating func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.hashLength) { hash, count in
            requireDone(cl_sha256_finish(handle, hash.baseAddress), "SHA-256")
            count = Self.hashLength
        }
    }
}

extension SHA256 {
    /// The hash of `bytes`, 32 bytes.
    package static func hash(of bytes: Span<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package static func hash(of bytes: [UInt8]) -> [UInt8] { hash(of: bytes.span) }
}
