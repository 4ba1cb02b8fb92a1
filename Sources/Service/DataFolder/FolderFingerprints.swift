import Cryptography
import UseCases

/// The fingerprints of a data folder's keys. A fingerprint opens nothing and signs nothing.
struct FolderFingerprints: Equatable, Sendable {
    /// Half of the SHA-256 of the public key, in hexadecimal; `nil` if none was noted.
    var ledgerKey: String?
    /// Half of the SHA-256 of the key's text.
    var operatorKey: String?

    static func ledgerKey(_ seed: SecretBytes) -> String? {
        guard let key = try? Ed25519PrivateKey(seed: seed).publicKey else { return nil }
        return half(of: key.bytes.indices.map { key.bytes[$0] })
    }

    static func operatorKey(_ key: Credential) -> String { half(of: Array(key.text.utf8)) }

    private static func half(of bytes: [UInt8]) -> String {
        Hexadecimal.encode(Array(SHA256.hash(of: bytes).prefix(16)))
    }
}

/// Writes the fingerprints of a folder's keys into its manifest.
struct FingerprintNote: Sendable {
    let path: String

    /// Must be called when the keys have passed all checks: from then on another `ledger.key` is refused. On disk on
    /// return.
    func write() throws(DataFolderError) {
        try change { fingerprints throws(DataFolderError) in
            if let seed = try read(FolderFile.ledgerKey, FolderSecrets.secret) {
                fingerprints.ledgerKey = FolderFingerprints.ledgerKey(seed)
            }
            if let key = try read(FolderFile.operatorKey, FolderSecrets.credential) {
                fingerprints.operatorKey = FolderFingerprints.operatorKey(key)
            }
        }
    }

    /// Must be called when the operator has made a new key.
    func writeOperatorKey() throws(DataFolderError) {
        try change { fingerprints throws(DataFolderError) in
            guard fingerprints.operatorKey != nil, let key = try read(FolderFile.operatorKey, FolderSecrets.credential)
            else {
                return
            }
            fingerprints.operatorKey = FolderFingerprints.operatorKey(key)
        }
    }

    /// A folder without a readable manifest is left unchanged.
    private func change(_ body: (inout FolderFingerprints) throws(DataFolderError) -> Void) throws(DataFolderError) {
        let file = SecretFile(path: "\(path)/\(FolderFile.manifest)")
        guard let bytes = try file.read(), var manifest = try? FolderManifest(bytes) else { return }
        let before = manifest.fingerprints
        try body(&manifest.fingerprints)
        if manifest.fingerprints != before { try file.write(manifest.bytes) }
    }

    private func read<Value>(
        _ name: String, _ parse: ([UInt8]) throws(FolderFinding.Fault) -> Value
    ) throws(DataFolderError) -> Value? {
        guard let bytes = try SecretFile(path: "\(path)/\(name)").read() else { return nil }
        return try? parse(bytes)
    }
}
