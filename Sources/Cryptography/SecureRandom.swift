import COpenSSL

/// Random numbers fit for keys and references, from libcrypto's generator, which the operating system seeds.
///
/// If there is no randomness, the process stops: a key or a reference that could be guessed would break promises
/// silently and permanently, and `RandomNumberGenerator` cannot throw. Any number of threads may use values of their
/// own at once; a value has no state.
package struct SecureRandom: RandomNumberGenerator, Sendable {
    package init() {}

    package mutating func next() -> UInt64 {
        var number: UInt64 = 0
        let done = withUnsafeMutableBytes(of: &number) { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { cl_random($0.baseAddress, $0.count) }
        }
        requireDone(done, "random bytes")
        return number
    }

    /// `count` random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            requireDone(cl_random(bytes.baseAddress, count), "random bytes")
            written = count
        }
    }
}
