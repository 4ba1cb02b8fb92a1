import Cryptography

/// Keys for one use that are derived from a browser's token and a secret of the service. The token alone opens nothing,
/// and neither does the secret alone.
struct HolderKeys: Sendable {
    private let secret: SecretBytes
    private let use: KeyUse

    /// - Parameter erasureKey: the key that all nodes of a storage have.
    init(erasureKey: SecretBytes, use: KeyUse) throws(CryptographyError) {
        secret = try use.key(from: erasureKey)
        self.use = use
    }

    /// 32 bytes.
    func key(of holder: SessionToken) throws(CryptographyError) -> SecretBytes {
        let own = try holder.secret(for: use)
        let both = secret.withSpan { ours in
            own.withSpan { theirs in ours.indices.map { ours[$0] } + theirs.indices.map { theirs[$0] } }
        }
        return try HKDF.derive(from: SecretBytes(both), info: Array("consentlink console \(use.rawValue) key v1".utf8))
    }
}

extension Int64 {
    /// Eight bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Int64($0)) }
    }

    /// - Parameter bytes: eight, the most significant first.
    init(bigEndianBytes bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
