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
        guard let folder = try Self.status(FolderFinding.folder, at: path, followsLink: true) else {
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
                throw .reading(FolderFinding.folder, failedWith: error.systemError ?? .ioError)
            }
            add(FolderFinding.folder, .otherOwner(folder.owner, expected: owner))
            return
        }
        // A signed lock file means that the folder was used.
        let isUsed = try FolderLock.isSigned(in: path)
        if names.isSubset(of: [FolderFile.lock]), !isUsed {
            state = .empty
            if folder.owner != owner { add(FolderFinding.folder, .otherOwner(folder.owner, expected: owner)) }
            try trust(FolderFile.lock)
            return
        }
        let own = FolderManifest.files + [FolderFile.manifest, FolderFile.checkpoints]
        guard isUsed || !names.isDisjoint(with: own) else {
            add(FolderFinding.folder, .notADataFolder)
            return
        }
        for fault in folder.faults(expecting: .directory, owner: owner) { add(FolderFinding.folder, fault) }
        // In a folder of another user, every file would have the same finding as the folder.
        guard folder.owner == owner else { return }
        try inspectFiles()
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

    /// Whether it is a backup on which no service has started yet.
    var isBackup: Bool { if case .made(let manifest) = state { manifest.isBackup } else { false } }

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

    private mutating func inspectFiles() throws(DataFolderError) {
        guard let manifest = try manifest() else { return }
        state = manifest.map { $0.isComplete ? .made($0) : .unfinished($0) } ?? .unmarked(nil)
        let databases = try inspectDatabases(of: manifest)
        let fingerprints = try keyFingerprints()
        let expected = manifest?.files ?? FolderManifest.files
        for file in Set(expected).union(FolderManifest.files(of: manifest?.storage ?? .sqlite)).sorted()
        where !databases.contains(file) {
            guard try isThere(file), let bytes = try read(file) else { continue }
            if let fault = FolderSecrets.fault(of: file, bytes, manifest, fingerprints) { add(file, fault) }
        }
        for companion in Self.companions { try trust(companion) }
        try inspectCheckpoints()
    }

    /// - Returns: `nil` if the manifest cannot be used; an optional that contains `nil` if there is no manifest.
    private mutating func manifest() throws(DataFolderError) -> FolderManifest?? {
        guard names.contains(FolderFile.manifest) else { return .some(nil) }
        guard try trust(FolderFile.manifest), let bytes = try read(FolderFile.manifest) else { return .none }
        do throws(FolderFinding.Fault) {
            return .some(try FolderManifest(bytes))
        } catch {
            add(FolderFile.manifest, error)
            return .none
        }
    }

    private mutating func keyFingerprints() throws(DataFolderError) -> KeyFingerprints? {
        guard names.contains(FolderFile.keyFingerprints), try trust(FolderFile.keyFingerprints),
            let bytes = try read(FolderFile.keyFingerprints)
        else { return nil }
        do throws(FolderFinding.Fault) {
            return try KeyFingerprints(bytes)
        } catch {
            add(FolderFile.keyFingerprints, error)
            return nil
        }
    }

    /// A file that cannot be read is neither lost nor damaged: the cause may be a lack of descriptors.
    /// - Returns: `nil` if the file was removed meanwhile.
    private func read(_ file: String) throws(DataFolderError) -> [UInt8]? {
        do throws(FileContent.Fault) {
            return try FileContent.whole("\(path)/\(file)", upTo: SecretFile.greatestSize)
        } catch {
            switch error {
            case .tooLong: throw .unusable(file, .damaged)
            case .system(.noSuchFileOrDirectory): return nil
            case .system(let error): throw .reading(file, failedWith: error)
            }
        }
    }

    private func status(_ file: String) throws(DataFolderError) -> FileStatus? {
        try Self.status(file, at: "\(path)/\(file)")
    }

    private static func status(
        _ name: String, at path: String, followsLink: Bool = false
    ) throws(DataFolderError) -> FileStatus? {
        do throws(Errno) {
            return try FileStatus.find(path, followsLink: followsLink)
        } catch {
            throw .reading(name, failedWith: error)
        }
    }

    /// Whether a required file exists, is the service's own and is not empty.
    private mutating func isThere(_ file: String) throws(DataFolderError) -> Bool {
        var isUnfinished = false
        if case .unfinished = state { isUnfinished = true }
        guard let status = try status(file) else {
            if !isUnfinished { add(file, .missing) }
            return false
        }
        guard try trust(file) else { return false }
        if status.size == 0 {
            if !isUnfinished { add(file, .empty) }
            return false
        }
        return true
    }

    /// Whether the file, if it exists, is accessible only to the service's user.
    @discardableResult
    private mutating func trust(_ file: String, as type: FileType = .regular) throws(DataFolderError) -> Bool {
        guard let status = try status(file) else { return true }
        let faults = status.faults(
            expecting: type, owner: owner, isWritten: FolderFile.writtenInPlace.contains(file))
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
    private mutating func inspectDatabases(of manifest: FolderManifest?) throws(DataFolderError) -> Set<String> {
        var done = Set(Self.databases)
        var found: [FolderID] = []
        let storage = manifest?.storage ?? .sqlite
        var expected = FolderDatabases.names(of: storage)
        if manifest == nil, try mayBeOnServer() {
            add(FolderFile.manifest, .missing)
            expected = FolderDatabases.names(of: .postgres)
        }
        for name in expected where try isThere(name) {
            let hasLog = (try status(DatabasePaths.log(of: name))?.size ?? 0) > 0
            // A backup has no log, and SQLite would write it into the restored database.
            if hasLog, manifest?.isBackup == true { add(DatabasePaths.log(of: name), .leftBehind) }
            switch try probe(name) {
            case .foreign: add(name, .foreign)
            // Pages in the log are only visible once the database is open, and the start checks again then.
            case .damaged, .unreadable: if !hasLog { add(name, .damaged) }
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
    private func mayBeOnServer() throws(DataFolderError) -> Bool {
        guard !names.contains(FolderDatabases.storageName), names.contains(FolderDatabases.spoolName),
            case .own(_?, _) = try probe(FolderDatabases.spoolName)
        else { return false }
        return true
    }

    /// - Throws: for ``DatabaseFileProbe/unreadable(_:)``.
    private func probe(_ name: String) throws(DataFolderError) -> DatabaseFileProbe {
        let probe = DatabaseFileProbe(path: "\(path)/\(name)")
        if case .unreadable(let code) = probe { throw .reading(name, failedWith: Errno(rawValue: code)) }
        return probe
    }

    private mutating func inspectCheckpoints() throws(DataFolderError) {
        let folder = FolderFile.checkpoints
        guard names.contains(folder), try trust(folder, as: .directory) else { return }
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")
        } catch {
            throw .reading(folder, failedWith: error.systemError ?? .ioError)
        }
        for file in files.sorted() where file.hasSuffix(CheckpointFiles.ending) || file == CheckpointList.name {
            try trust("\(folder)/\(file)")
        }
        let unfinished = [CheckpointFiles.ending, CheckpointList.name].map(AtomicFile.unfinished)
        for file in files.sorted() where unfinished.contains(where: file.hasSuffix) {
            inspectLeftover("\(folder)/\(file)")
        }
    }

    private mutating func findLeftovers() {
        let written = FolderManifest.files + [FolderFile.manifest, FolderFile.keyFingerprints, FolderFile.signed]
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
