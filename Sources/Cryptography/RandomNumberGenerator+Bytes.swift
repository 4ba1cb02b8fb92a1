extension RandomNumberGenerator {
    /// `count` random bytes. As secure as the generator is.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        // Generic code always calls this method, and libcrypto returns many bytes in one call.
        if var secure = self as? SecureRandom { return secure.bytes(count) }
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
