import COpenSSL

/// HKDF-SHA-256 (RFC 5869): keys for different uses from one secret, so that none reveals anything of the others.
package enum HKDF {
    /// - Parameters:
    ///   - secret: the input keying material; HKDF makes it uniform, but adds no entropy.
    ///   - salt: empty if the secret is uniformly random already.
    ///   - info: the use of the key; each use must have another text.
    ///   - count: bytes to derive, 1 to 255 * 32.
    package static func derive(
        from secret: SecretBytes,
        salt: [UInt8] = [],
        info: [UInt8],
        count: Int = 32
    ) throws(CryptographyError) -> SecretBytes {
        let allowed = 1...(255 * SHA256.hashLength)
        guard allowed.contains(count) else { throw .derivedLength(allowed: allowed) }
        var done = false
        let derived = SecretBytes(count: count) { output in
            done = secret.withUnsafeBufferPointer { secret in
                cl_hkdf_sha256(
                    secret.baseAddress,
                    secret.count,
                    salt,
                    salt.count,
                    info,
                    info.count,
                    output.baseAddress,
                    output.count
                )
            }
        }
        guard done else { throw .unavailable(.hkdf) }
        return derived
    }
}
