import Cryptography
import Glibc
import Identifiers
import TrackingIDs
import UseCases

/// Makes everything that a data folder must have.
///
/// The manifest comes first, as that of an unfinished folder, and is replaced at the end. A process that is killed in
/// between leaves a folder whose making the next one finishes.
struct FolderMaking {
    let path: String
    /// Of the unfinished folder.
    let manifest: FolderManifest
    let now: Timestamp
    /// Files that are there already elsewhere, by their names; the others are made anew.
    var secrets: [String: [UInt8]] = [:]

    /// On disk on return.
    func make() throws(DataFolderError) {
        // Of a folder whose making was begun before: no storage knows this one.
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

    /// A new key, in the place of the one before.
    func writeOperatorKey() throws(DataFolderError) {
        var generator = SecureRandom()
        try write(Array((Credential(using: &generator).text + "\n").utf8), FolderFile.operatorKey)
    }

    private func write(_ bytes: [UInt8], _ name: String) throws(DataFolderError) {
        try SecretFile(path: "\(path)/\(name)").write(bytes)
    }
}
