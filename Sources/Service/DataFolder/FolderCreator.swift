import Cryptography
import Glibc
import Identifiers
import TrackingIDs
import UseCases

/// Makes everything that a data folder must have.
///
/// It writes the manifest first, as that of an unfinished folder, and replaces it at the end. If the process is killed
/// in between, the next one completes the folder.
struct FolderCreator {
    let path: String
    /// The manifest of the unfinished folder.
    let manifest: FolderManifest
    let now: Timestamp
    /// Files that exist elsewhere already, by their names; the others are made new.
    var secrets: [String: [UInt8]] = [:]

    /// On disk on return.
    func make() throws(DataFolderError) {
        // It belongs to a folder that was begun before: no storage knows that node.
        unlink("\(path)/\(FolderFile.node)")
        try write(manifest.bytes, FolderFile.manifest)
        try makeKeys()
        try FolderDatabases.make(in: path, manifest.storage, id: manifest.folder)
        var complete = manifest
        complete.isComplete = true
        try write(complete.bytes, FolderFile.manifest)
    }

    private func makeKeys() throws(DataFolderError) {
        var generator = SecureRandom()
        for (name, bytes) in secrets { try write(bytes, name) }
        if secrets[FolderFile.operatorKey] == nil { try writeOperatorKey() }
        for name in FolderFile.rawSecrets where secrets[name] == nil {
            try write(generator.bytes(FolderSecrets.secretLength), name)
        }
        guard secrets[FolderFile.keyRing] == nil else { return }
        try KeyRingFile(in: path, folder: manifest.folder).write(KeyRing(at: now, using: &generator))
    }

    /// Makes a new key, which replaces the one before.
    func writeOperatorKey() throws(DataFolderError) {
        var generator = SecureRandom()
        try write(Array((Credential(using: &generator).text + "\n").utf8), FolderFile.operatorKey)
    }

    private func write(_ bytes: [UInt8], _ name: String) throws(DataFolderError) {
        try SecretFile(path: "\(path)/\(name)").write(bytes)
    }
}
