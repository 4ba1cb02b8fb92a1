import Cryptography
import Foundation
import Glibc
import Identifiers
import LocalFiles
import SystemPackage
import TrackingIDs
import UseCases

/// The folder that contains everything the service keeps: its databases, its secrets, and the lock that excludes a
/// second process. Only the service's own user can read any of it.
///
/// A folder is made once, completely. After that no file in it is made again: a missing file is lost, and a service
/// that continued without it would answer as if it had never existed.
struct DataFolder: ~Copyable {
    /// What was done when the folder was opened, for the log.
    enum Event: Equatable {
        case made
        /// It has no manifest yet; it gets one once the databases are open.
        case unmarked
        case removedLeftover(String)
        /// It is not the key with which the service started last.
        case otherOperatorKey
        /// A node of a server has other signing keys in its copy of the ring than it wrote. With their ids.
        case otherSigningKeys(String)
        /// The log of the spool has lost recorded clicks.
        case damagedLog(DamagedLog)
    }

    let path: String
    let id: FolderID
    let events: [Event]
    /// Whether no service has ever noted its keys: nothing was stored for this folder.
    let isNew: Bool
    /// Whether the folder was a backup until now: it does not have what was stored since.
    let wasBackup: Bool
    /// What the last process had signed, from before this one signs the lock file.
    let signed: SigningNote.Content
    private let lock: FolderLock

    /// Takes the folder for this process, and makes it if it is missing or empty.
    ///
    /// - Parameters:
    ///   - storage: the kind of the main database.
    ///   - inherited: the lock that the process held before its program image was replaced.
    /// - Throws: ``DataFolderError/inUse(process:)`` while another process has it,
    ///   ``DataFolderError/unusable(_:)`` if something in it is not as it was left,
    ///   ``DataFolderError/otherStorage(made:asked:)`` if it was made for another storage; then nothing was changed.
    init(
        at path: String, storage: StorageKind = .sqlite, inheriting inherited: InheritedLock? = nil, now: Timestamp
    ) throws(DataFolderError) {
        if FileStatus("\(path)/\(FolderFile.lock)") == nil {
            // No lock file is made in a folder that is refused.
            let first = try FolderInspection(of: path)
            try first.requireUsable()
            try first.require(storage)
            if first.state == .empty { try Self.makeFolder(path) }
        }
        let lock = try FolderLock(in: path, inheriting: inherited)
        let inspection = try FolderInspection(of: path)
        try inspection.requireUsable()
        try inspection.require(storage)
        let damaged = try DamagedLog.ofSpool(in: path, storage)
        let removed = try Self.remove(inspection.leftovers, in: path)
        let (id, event) = try Self.complete(inspection, at: path, storage, now: now)
        let signed = try SigningNote(in: path).read()
        self.path = path
        self.id = id
        isNew = inspection.isNew
        wasBackup = inspection.isBackup
        self.signed = signed
        events = removed + [event, damaged.map(Event.damagedLog)].compactMap { $0 }
        self.lock = lock
    }

    /// Makes the missing files, if nothing was lost.
    private static func complete(
        _ inspection: FolderInspection, at path: String, _ storage: StorageKind, now: Timestamp
    ) throws(DataFolderError) -> (FolderID, Event?) {
        var generator = SecureRandom()
        switch inspection.state {
        case .empty:
            try makeFolder(path)
            let manifest = FolderManifest(
                folder: FolderID(using: &generator), madeAt: now, isComplete: false, storage: storage)
            try FolderCreator(path: path, manifest: manifest, now: now).make()
            return (manifest.folder, .made)
        case .unfinished(let manifest):
            try FolderCreator(path: path, manifest: manifest, now: now).make()
            return (manifest.folder, .made)
        case .made(let manifest):
            if manifest.isBackup { try Self.begin(manifest, at: path) }
            let key = try SecretFile(path: "\(path)/\(FolderFile.operatorKey)").read()
                .flatMap { try? FolderSecrets.credential($0) }
            let noted = manifest.fingerprints.operatorKey
            let isNoted = noted == nil || noted == key.map(FolderFingerprints.operatorKey)
            return (manifest.folder, isNoted ? try otherSigningKeys(in: path) : .otherOperatorKey)
        case .unmarked(let known):
            // The inspection reports it as missing only if there are ledgers.
            let ledgerKey = SecretFile(path: "\(path)/\(FolderFile.ledgerKey)")
            if try ledgerKey.read() == nil { try ledgerKey.write(generator.bytes(FolderSecrets.secretLength)) }
            return (known ?? FolderID(using: &generator), .unmarked)
        case .unknown: throw .unusable(FolderFinding.folder, .notADataFolder)
        }
    }

    /// On the embedded store they are a finding of the inspection.
    private static func otherSigningKeys(in path: String) throws(DataFolderError) -> Event? {
        guard let fingerprints = try KeyFingerprintsFile(in: path).read(),
            let bytes = try SecretFile(path: "\(path)/\(FolderFile.keyRing)").read(),
            let content = try? KeyRingFile.Content(bytes),
            case .otherKeys(let keys) = fingerprints.fault(of: content.ring)
        else { return nil }
        return .otherSigningKeys(keys)
    }

    /// Turns a backup into a folder of its own. On disk on return, before a database is opened: the logs that are in
    /// the folder from then on are its own.
    private static func begin(_ backup: FolderManifest, at path: String) throws(DataFolderError) {
        var manifest = backup
        manifest.isBackup = false
        try SecretFile(path: "\(path)/\(FolderFile.manifest)").write(manifest.bytes)
    }

    /// Makes the folder, or closes an empty one that another user or program made to other users.
    static func makeFolder(_ path: String) throws(DataFolderError) {
        let parent = URL(filePath: path).deletingLastPathComponent().path
        do {
            if FileStatus(following: parent) == nil {
                try FileManager.default.createDirectory(
                    atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw .cannotBeMade(error.systemError?.description ?? "unknown")
        }
        // Closed to other users from the first moment: if the process is killed now, the next start uses the folder.
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .cannotBeMade("\(Errno.last)")
        }
        guard let status = FileStatus(following: path), status.mode & 0o077 == 0 || chmod(path, 0o700) == 0 else {
            throw .cannotBeMade("\(Errno.last)")
        }
    }

    private static func remove(_ leftovers: [String], in path: String) throws(DataFolderError) -> [Event] {
        for file in leftovers where unlink("\(path)/\(file)") != 0 {
            throw .writing(file, failedWith: .last)
        }
        return leftovers.map(Event.removedLeftover)
    }

    /// How many commits of the spool were lost with its log, at least.
    var lostSpoolCommits: Int {
        events.reduce(0) { count, event in
            if case .damagedLog(let log) = event { count + log.commits } else { count }
        }
    }

    /// Writes this process's number into the lock file, once the folder has passed all checks.
    func sign() { lock.sign() }

    /// The signature, for later use by this process.
    func signature() -> FolderSignature? { lock.signature() }

    /// The lock, for the program image that replaces this one. Must be used while this value exists.
    func lockForNextImage() -> InheritedLock { lock.forNextImage() }

    /// The files of the folder that this process has open, besides its databases.
    func lockedFiles() -> [FolderWatch.File] { lock.files(at: path) }

    /// The key with which the operator calls the private listener.
    func operatorKey() throws(DataFolderError) -> Credential {
        try read(FolderFile.operatorKey, FolderSecrets.credential)
    }

    /// The key of the hashes by which erased recipients are recognised. It is outside the database, so that the
    /// database alone cannot be searched for a recipient.
    func erasureKey() throws(DataFolderError) -> SecretBytes { try read(FolderFile.erasureKey, FolderSecrets.secret) }

    /// The key that signs checkpoints. Its holder could sign a false ledger, so it is never in the database; it is none
    /// of the keys of tracking IDs.
    func ledgerKey() throws(DataFolderError) -> SecretBytes { try read(FolderFile.ledgerKey, FolderSecrets.secret) }

    /// The secrets that tracking IDs are signed with, and their file.
    func keyRing() throws(DataFolderError) -> (ring: KeyRing, file: KeyRingFile) {
        let file = KeyRingFile(in: path, folder: id)
        return (try file.read(), file)
    }

    /// Makes the folder of the checkpoints if it is missing.
    func checkpointFiles() throws(DataFolderError) -> CheckpointFiles {
        let folder = "\(path)/\(FolderFile.checkpoints)"
        try Self.makeFolder(folder)
        return CheckpointFiles(folder: folder)
    }

    private func read<Value>(
        _ name: String, _ parse: ([UInt8]) throws(FolderFinding.Fault) -> Value
    ) throws(DataFolderError) -> Value {
        try SecretFile(path: "\(path)/\(name)").read(parse)
    }
}
