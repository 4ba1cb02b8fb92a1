extension FolderSecrets {
    /// The fault of the content of a file of keys; `nil` for every other file.
    ///
    /// - Parameters:
    ///   - manifest: that of the folder, if there is one.
    ///   - fingerprints: the signing keys that were noted.
    static func fault(
        of file: String, _ bytes: [UInt8], _ manifest: FolderManifest?, _ fingerprints: KeyFingerprints?
    ) -> FolderFinding.Fault? {
        do throws(FolderFinding.Fault) {
            switch file {
            case FolderFile.operatorKey: _ = try credential(bytes)
            case FolderFile.keyRing:
                let content = try KeyRingFile.Content(bytes)
                if let folder = content.folder, let manifest, folder != manifest.folder { return .foreign }
                // The folder of an unfinished one was never used. Nodes on a server take over the ring of the database.
                guard manifest?.isComplete ?? true, manifest?.storage ?? .sqlite == .sqlite else { return nil }
                return fingerprints?.fault(of: content.ring)
            case FolderFile.ledgerKey:
                let fingerprint = FolderFingerprints.ledgerKey(try secret(bytes))
                if let noted = manifest?.fingerprints.ledgerKey, noted != fingerprint { return .foreign }
            case _ where FolderFile.rawSecrets.contains(file): _ = try secret(bytes)
            default: break
            }
            return nil
        } catch {
            return error
        }
    }
}
