import Cryptography
import Glibc
package import Identifiers

/// What can be done to a data folder while no service runs on it: `consentlink init`.
package enum DataFolderTask {
    /// Makes the folder. What is in it already is not touched.
    ///
    /// - Returns: the folder's id.
    /// - Throws: ``DataFolderError/notEmpty(_:)`` for a folder with anything in it, ``DataFolderError/unusable(_:)`` for what
    ///   is no folder.
    package static func make(at path: String, storage: StorageKind = .sqlite) throws(DataFolderError) -> FolderID {
        let inspection = try FolderInspection(of: path)
        switch inspection.state {
        case .empty, .unfinished: return try DataFolder(at: path, storage: storage, now: .now).id
        default:
            // What is no folder has no contents.
            if inspection.contents.isEmpty { try inspection.requireUsable() }
            throw .notEmpty(inspection.contents)
        }
    }

    /// Makes a new operator key in the place of the one before, which then opens nothing any more. A lost or damaged
    /// key is no hindrance, anything else that is wrong with the folder is.
    package static func replaceOperatorKey(at path: String) throws(DataFolderError) {
        let folder = try HeldFolder(at: path) { $0.file == FolderFile.operatorKey && $0.isLoss }
        try folder.making.writeOperatorKey()
        try FingerprintNote(path: path).writeOperatorKey()
    }

    /// Makes an empty spool where there is none. The clicks in the lost one are lost.
    ///
    /// - Throws: ``DataFolderError/spoolIsThere`` when nothing is lost, ``DataFolderError/notEmpty(_:)`` when something of
    ///   the lost file is left in its log: SQLite would take it for the new one's.
    package static func replaceSpool(at path: String) throws(DataFolderError) {
        let name = FolderDatabases.spoolName
        let folder = try HeldFolder(at: path) { $0.file == name && ($0.fault == .missing || $0.fault == .empty) }
        guard !folder.inspection.findings.isEmpty else { throw .spoolIsThere }
        let logs = ["-wal", "-journal"].map { name + $0 }
        let rest = logs.filter { (FileStatus("\(path)/\($0)")?.size ?? 0) > 0 }
        guard rest.isEmpty else { throw .notEmpty(rest) }
        // An orderly stop leaves an empty log and its index.
        for file in logs + ["\(name)-shm"] { unlink("\(path)/\(file)") }
        try FolderDatabases.makeSpool(in: path, id: folder.making.manifest.folder)
    }
}

/// A folder that was made, taken for this process, and complete but for what is excepted.
private struct HeldFolder: ~Copyable {
    let inspection: FolderInspection
    let making: FolderMaking
    private let lock: FolderLock

    init(at path: String, except isExcepted: (FolderFinding) -> Bool) throws(DataFolderError) {
        let first = try FolderInspection(of: path)
        if first.state == .empty { throw .notThere }
        // No lock file is made in a folder that is refused.
        try first.requireUsable(except: isExcepted)
        let lock = try FolderLock(in: path)
        let inspection = try FolderInspection(of: path)
        try inspection.requireUsable(except: isExcepted)
        lock.sign()
        let manifest = try Self.manifest(inspection)
        making = FolderMaking(path: path, manifest: manifest, now: .now)
        self.inspection = inspection
        self.lock = lock
    }

    private static func manifest(_ inspection: FolderInspection) throws(DataFolderError) -> FolderManifest {
        switch inspection.state {
        case .made(let manifest): return manifest
        case .unmarked(let known):
            // A service that is started on a folder without a manifest takes the id that it finds in a database.
            var generator = SecureRandom()
            return FolderManifest(folder: known ?? FolderID(using: &generator), madeAt: .now, isComplete: true)
        case .empty, .unfinished, .unknown: throw .notThere
        }
    }
}

extension FolderFinding {
    /// Whether it says that the content of the file is gone, and not that the file may have been exchanged.
    var isLoss: Bool { fault == .missing || fault == .empty || fault == .damaged }
}
