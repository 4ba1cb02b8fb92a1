import Cryptography

/// Keys that a browser and the service make together, for one use: what a browser holds opens nothing without the
/// service, and the service's secret nothing without what the browser holds.
struct HolderKeys: Sendable {
    private let secret: SecretBytes
    private let use: String

    /// - Parameters:
    ///   - erasureKey: the key that all nodes of a storage have.
    ///   - use: what the keys are for.
    init(erasureKey: SecretBytes, use: String) throws(CryptographyError) {
        secret = try HKDF.derive(from: erasureKey, info: Array("consentlink console \(use) v1".utf8))
        self.use = use
    }

    /// 32 bytes.
    func key(of holder: SessionToken) throws(CryptographyError) -> SecretBytes {
        let own = try holder.secret(for: use)
        let both = secret.withSpan { ours in
            own.withSpan { theirs in ours.indices.map { ours[$0] } + theirs.indices.map { theirs[$0] } }
        }
        return try HKDF.derive(from: SecretBytes(both), info: Array("consentlink console \(use) key v1".utf8))
    }
}

extension Int64 {
    /// Eight bytes, the highest first.
    var bigEndianBytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Int64($0)) }
    }

    /// - Parameter bytes: eight, the highest first.
    init(bigEndianBytes bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
