import Cryptography
import Organizations
import TrackingIDs
import UseCases

/// The keys that the running service uses. A backup with other keys could not be restored.
struct KeysInUse: Sendable {
    let ring: CurrentKeyRing
    let erasureKey: SecretBytes
    let ledgerKey: SecretBytes
    let operatorKey: APIKeyDigest
    /// `nil` if no other node shares the storage.
    let clusterKey: SecretBytes?

    /// The key files of a folder that are missing, or do not contain these keys.
    func findings(in folder: String) throws(DataFolderError) -> [FolderFinding] {
        var findings: [FolderFinding] = []
        for name in FolderFile.keys + [FolderFile.clusterKey] {
            guard let bytes = try SecretFile(path: "\(folder)/\(name)").read() else {
                let isNeeded = name != FolderFile.clusterKey || clusterKey != nil
                if isNeeded { findings.append(FolderFinding(name, .missing)) }
                continue
            }
            if let fault = fault(of: name, bytes) { findings.append(FolderFinding(name, fault)) }
        }
        return findings
    }

    private func fault(of name: String, _ bytes: [UInt8]) -> FolderFinding.Fault? {
        guard !bytes.isEmpty else { return .empty }
        do throws(FolderFinding.Fault) {
            let isOwn =
                switch name {
                case FolderFile.keyRing: try KeyRingFile.Content(bytes).ring.hasSameKeys(as: ring.value)
                case FolderFile.operatorKey: try FolderSecrets.credential(bytes).digest == operatorKey
                case FolderFile.erasureKey: try FolderSecrets.secret(bytes) == erasureKey
                case FolderFile.ledgerKey: try FolderSecrets.secret(bytes) == ledgerKey
                default: try isClusterKey(bytes)
                }
            return isOwn ? nil : .foreign
        } catch {
            return error
        }
    }

    /// If the storage is no longer shared, the file is not used, and may have any content.
    private func isClusterKey(_ bytes: [UInt8]) throws(FolderFinding.Fault) -> Bool {
        guard let clusterKey else { return true }
        return try FolderSecrets.clusterKey(bytes) == clusterKey
    }
}
