import Foundation
import Glibc
import Identifiers
import LocalFiles
import SQLiteFiles
import SystemPackage

/// Inspects a data folder and changes nothing in it.
struct FolderInspection {
    enum State: Equatable {
        /// There is no folder, or nothing in it.
        case empty
        /// It was begun and not completed. No service ever used it.
        case unfinished(FolderManifest)
        case made(FolderManifest)
        /// It has everything but the manifest: an earlier version made it, or only the manifest was lost. Then the
        /// databases contain the folder's id.
        case unmarked(FolderID?)
        /// It is no folder of the service, or too little of it can be read: see ``findings``.
        case unknown
    }

    private(set) var state = State.unknown
    private(set) var findings: [FolderFinding] = []
    /// Unfinished files that a killed process left, by their places in the folder.
    private(set) var leftovers: [String] = []

    private let path: String
    private let owner: UInt32
    private var names: Set<String> = []

    /// - Parameter owner: the user who must own the files.
    init(of path: String, owner: UInt32 = geteuid()) throws(DataFolderError) {
        self.path = path
        self.owner = owner
        guard let folder = FileStatus(following: path) else {
            state = .empty
            return
        }
        guard folder.type == .directory else {
            add(FolderFinding.folder, .notAFolder)
            return
        }
        do {
            // A file system makes such files itself.
            names = Set(try FileManager.default.contentsOfDirectory(atPath: path)).subtracting(["lost+found"])
        } catch {
            guard folder.owner != owner else {
                throw error.systemError.flatMap(DataFolderError.init) ?? .cannotRead(FolderFinding.folder)
            }
            add(FolderFinding.folder, .otherOwner(folder.owner, expected: owner))
            return
        }
        // A signed lock file means that the folder was used.
        let isUsed = FolderLock.process(in: path) != nil
        if names.isSubset(of: [FolderFile.lock]), !isUsed {
            state = .empty
            if folder.owner != owner { add(FolderFinding.folder, .otherOwner(folder.owner, expected: owner)) }
            trust(FolderFile.lock)
            return
        }
        let own = FolderManifest.files + [FolderFile.manifest, FolderFile.checkpoints]
        guard isUsed || !names.isDisjoint(with: own) else {
            add(FolderFinding.folder, .notADataFolder)
            return
        }
        for fault in folder.faults(expecting: .directory, owner: owner) { add(FolderFinding.folder, fault) }
        // They belong to that user, too.
        guard folder.owner == owner else { return }
        inspectFiles()
        findLeftovers()
    }

    /// Whether nothing was ever stored for the folder: no service has noted its keys.
    var isNew: Bool {
        switch state {
        case .empty, .unfinished: true
        case .made(let manifest): manifest.fingerprints == FolderFingerprints()
        case .unmarked, .unknown: false
        }
    }

    /// The names of everything in the folder.
    var contents: [String] { names.sorted() }

    /// - Throws: ``DataFolderError/unusable(_:)`` with every finding that `isAccepted` does not accept.
    func requireUsable(except isAccepted: (FolderFinding) -> Bool = { _ in false }) throws(DataFolderError) {
        let findings = findings.filter { !isAccepted($0) }
        guard findings.isEmpty else { throw .unusable(findings) }
    }

    /// - Throws: ``DataFolderError/otherStorage(made:asked:)`` if the folder was made for another storage.
    func require(_ storage: StorageKind) throws(DataFolderError) {
        let made: StorageKind
        switch state {
        case .made(let manifest), .unfinished(let manifest): made = manifest.storage
        case .unmarked: made = .sqlite
        case .empty, .unknown: return
        }
        guard made == storage else { throw .otherStorage(made: made, asked: storage) }
    }

    private mutating func add(_ file: String, _ fault: FolderFinding.Fault) {
        findings.append(FolderFinding(file, fault))
    }

    private mutating func inspectFiles() {
        guard let manifest = manifest() else { return }
        state = manifest.map { $0.isComplete ? .made($0) : .unfinished($0) } ?? .unmarked(nil)
        let databases = inspectDatabases(of: manifest)
        let expected = manifest?.files ?? FolderManifest.files
        for file in Set(expected).union(FolderManifest.files(of: manifest?.storage ?? .sqlite)).sorted()
        where !databases.contains(file) {
            guard isThere(file), let bytes = read(file) else { continue }
            if let fault = fault(of: file, bytes, manifest) { add(file, fault) }
        }
        for companion in Self.companions { trust(companion) }
        inspectCheckpoints()
    }

    /// - Returns: `nil` if the manifest cannot be used; an optional that contains `nil` if there is no manifest.
    private mutating func manifest() -> FolderManifest?? {
        guard names.contains(FolderFile.manifest) else { return .some(nil) }
        guard trust(FolderFile.manifest), let bytes = read(FolderFile.manifest) else { return .none }
        do {
            return .some(try FolderManifest(bytes))
        } catch {
            add(FolderFile.manifest, error)
            return .none
        }
    }

    private func fault(of file: String, _ bytes: [UInt8], _ manifest: FolderManifest?) -> FolderFinding.Fault? {
        do throws(FolderFinding.Fault) {
            switch file {
            case FolderFile.operatorKey: _ = try FolderSecrets.credential(bytes)
            case FolderFile.keyRing:
                let content = try KeyRingFile.Content(bytes)
                if let folder = content.folder, let manifest, folder != manifest.folder { return .foreign }
            case FolderFile.ledgerKey:
                let fingerprint = FolderFingerprints.ledgerKey(try FolderSecrets.secret(bytes))
                if let noted = manifest?.fingerprints.ledgerKey, noted != fingerprint { return .foreign }
            case _ where FolderFile.rawSecrets.contains(file): _ = try FolderSecrets.secret(bytes)
            default: break
            }
            return nil
        } catch {
            return error
        }
    }

    private func read(_ file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(path)/\(file)").map(Array.init)
    }

    /// Whether a required file exists, is the service's own and is not empty.
    private mutating func isThere(_ file: String) -> Bool {
        var isUnfinished = false
        if case .unfinished = state { isUnfinished = true }
        guard let status = FileStatus("\(path)/\(file)") else {
            if !isUnfinished { add(file, .missing) }
            return false
        }
        guard trust(file) else { return false }
        if status.size == 0 {
            if !isUnfinished { add(file, .empty) }
            return false
        }
        return true
    }

    /// Whether the file, if it exists, is accessible only to the service's user.
    @discardableResult
    private mutating func trust(_ file: String, as type: FileType = .regular) -> Bool {
        guard let status = FileStatus("\(path)/\(file)") else { return true }
        let faults = status.faults(expecting: type, owner: owner)
        for fault in faults { add(file, fault) }
        return faults.isEmpty
    }
}

extension FolderInspection {
    private static let databases = FolderDatabases.names
    /// Files that may be missing.
    private static let companions =
        [FolderFile.lock, FolderFile.node, FolderFile.clusterKey, FolderDatabases.mirrorName]
        + (databases + [FolderDatabases.mirrorName]).flatMap { name in
            DatabasePaths.logFiles(of: name) + [DatabasePaths.journal(of: name)]
        }

    /// Reads the folder of each database without opening it for writing.
    /// - Returns: the files that need no further check.
    private mutating func inspectDatabases(of manifest: FolderManifest?) -> Set<String> {
        var done = Set(Self.databases)
        var found: [FolderID] = []
        let storage = manifest?.storage ?? .sqlite
        var expected = FolderDatabases.names(of: storage)
        if manifest == nil, mayBeOnServer {
            add(FolderFile.manifest, .missing)
            expected = FolderDatabases.names(of: .postgres)
        }
        for name in expected where isThere(name) {
            let file = "\(path)/\(name)"
            let hasLog = (FileStatus(DatabasePaths.log(of: file))?.size ?? 0) > 0
            // A backup has no log, and SQLite would write it into the restored database.
            if hasLog, manifest?.isBackup == true { add(DatabasePaths.log(of: name), .leftBehind) }
            switch DatabaseFileProbe(path: file) {
            case .foreign: add(name, .foreign)
            // Pages in the log are only visible once the database is open, and the start checks again then.
            case .damaged: if !hasLog { add(name, .damaged) }
            case .own(nil, let hasLedgers):
                if manifest?.isComplete == true, !hasLog { add(name, .foreign) }
                // Folders of the first versions sign nothing, and have no key for it.
                if manifest == nil, name == FolderDatabases.storageName, !hasLedgers,
                    !names.contains(FolderFile.ledgerKey)
                {
                    done.insert(FolderFile.ledgerKey)
                }
            case .own(let id?, _):
                if let manifest, manifest.folder != id { add(name, .foreign) }
                found.append(id)
            }
        }
        if manifest == nil {
            if let first = found.first, found.contains(where: { $0 != first }) {
                add(FolderDatabases.spoolName, .foreign)
            }
            state = .unmarked(found.first)
        }
        return done
    }

    /// Whether a folder without a manifest may have its database on a server: there is no database file, and the spool
    /// is of a version that notes its folder.
    private var mayBeOnServer: Bool {
        guard !names.contains(FolderDatabases.storageName), names.contains(FolderDatabases.spoolName),
            case .own(_?, _) = DatabaseFileProbe(path: "\(path)/\(FolderDatabases.spoolName)")
        else { return false }
        return true
    }

    private mutating func inspectCheckpoints() {
        let folder = FolderFile.checkpoints
        guard names.contains(folder), trust(folder, as: .directory) else { return }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
        for file in files.sorted() where file.hasSuffix(CheckpointFiles.ending) || file == CheckpointList.name {
            trust("\(folder)/\(file)")
        }
        let unfinished = [CheckpointFiles.ending, CheckpointList.name].map(AtomicFile.unfinished)
        for file in files.sorted() where unfinished.contains(where: file.hasSuffix) {
            inspectLeftover("\(folder)/\(file)")
        }
    }

    private mutating func findLeftovers() {
        let written = FolderManifest.files + [FolderFile.manifest, FolderFile.signed]
        for name in written.map(AtomicFile.unfinished) where names.contains(name) { inspectLeftover(name) }
    }

    private mutating func inspectLeftover(_ file: String) {
        if SecretFile.isOwnLeftover("\(path)/\(file)", owner: owner) {
            leftovers.append(file)
        } else {
            add(file, .planted)
        }
    }
}
