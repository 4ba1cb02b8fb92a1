import Cryptography
import Foundation
import Glibc
import Identifiers
import Organizations
import TrackingIDs

/// The folder that holds everything the service keeps: its databases, its secrets, and the lock that keeps a second
/// process out. Nobody but the service's own user can read any of it.
struct DataFolder: ~Copyable {
    /// What is in it besides the databases, which belong together with them.
    static let secretFiles = ["keyring.json", "erasure.key", "ledger.key", "operator.key"]
    /// The last checkpoint of each ledger, kept apart from the databases that it vouches for.
    static let checkpoints = "checkpoints"

    let path: String
    private let lock: FolderLock

    /// Makes the folder where there is none, and takes it for this process.
    ///
    /// - Throws: ``DataFolderError/inUse`` while another process has it.
    init(at path: String) throws(DataFolderError) {
        try Self.makeFolder(path)
        let lock = try FolderLock(path: path + "/lock")
        self.path = path
        self.lock = lock
    }

    private static func makeFolder(_ path: String) throws(DataFolderError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotBeMade
        }
    }

    /// The operator's key, made at the first start.
    func operatorKey() throws(DataFolderError) -> Credential {
        let file = SecretFile(path: path + "/operator.key")
        guard let bytes = try file.read() else {
            var generator = SecureRandom()
            let fresh = Credential(using: &generator)
            try file.write(Array((fresh.text + "\n").utf8))
            return fresh
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let key = Credential(text) else { throw .damaged("operator.key") }
        return key
    }

    /// The key of the hashes by which erased people are recognised. It lies outside the database, so that the database
    /// alone cannot be searched for anybody.
    func erasureKey() throws(DataFolderError) -> SecretBytes { try secret("erasure.key") }

    /// The key that checkpoints are signed with. Whoever holds it can vouch for another record than the one that was
    /// kept, so it never is in the database; it is none of the keys of tracking IDs.
    func ledgerKey() throws(DataFolderError) -> SecretBytes { try secret("ledger.key") }

    /// 32 random bytes, made when they are asked for first.
    private func secret(_ name: String) throws(DataFolderError) -> SecretBytes {
        let length = 32
        let file = SecretFile(path: "\(path)/\(name)")
        guard let bytes = try file.read() else {
            var generator = SecureRandom()
            let fresh = generator.bytes(length)
            try file.write(fresh)
            return SecretBytes(fresh)
        }
        guard bytes.count == length else { throw .damaged(name) }
        return SecretBytes(bytes)
    }

    /// Makes the folder of the checkpoints where there is none.
    func checkpointFiles() throws(DataFolderError) -> CheckpointFiles {
        let folder = "\(path)/\(Self.checkpoints)"
        try Self.makeFolder(folder)
        return CheckpointFiles(folder: folder)
    }

    /// The key ring's file; makes the first ring where there is none.
    func keyRing(now: Timestamp) throws(DataFolderError) -> (ring: KeyRing, file: KeyRingFile) {
        let file = KeyRingFile(file: SecretFile(path: path + "/keyring.json"))
        if let ring = try file.read() { return (ring, file) }
        var generator = SecureRandom()
        let ring = KeyRing(at: now, using: &generator)
        try file.write(ring)
        return (ring, file)
    }
}

/// Why the data folder cannot be used. Names files by their own name alone.
package enum DataFolderError: Error, Equatable, CustomStringConvertible {
    case cannotBeMade
    case inUse
    case cannotRead(String)
    case cannotWrite(String)
    case full
    case damaged(String)

    package var description: String {
        switch self {
        case .cannotBeMade: "the data folder cannot be made"
        case .inUse: "the data folder is in use by another process"
        case .cannotRead(let name): "\(name) in the data folder cannot be read"
        case .cannotWrite(let name): "\(name) in the data folder cannot be written"
        case .full: "the disk is full"
        case .damaged(let name): "\(name) in the data folder is not what this service wrote"
        }
    }
}
