import Cryptography
import Glibc
package import Identifiers
import LocalFiles
import SQLiteFiles

/// Tasks on a data folder while no service uses it: `consentlink init`.
package enum DataFolderTask {
    /// Makes the folder. Existing files in it are not changed.
    ///
    /// - Returns: the folder's id.
    /// - Throws: ``DataFolderError/notEmpty(_:)`` if the folder has anything in it, ``DataFolderError/unusable(_:)`` if
    ///   it is no folder.
    package static func make(at path: String, storage: StorageKind = .sqlite) throws(DataFolderError) -> FolderID {
        let inspection = try FolderInspection(of: path)
        switch inspection.state {
        case .empty, .unfinished:
            let folder = try DataFolder(at: path, storage: storage, now: .now)
            // Another process may have made it meanwhile.
            guard folder.events.contains(.made) else { throw .notEmpty(try FolderInspection(of: path).contents) }
            return folder.id
        default:
            // If it is no folder, it has no contents.
            if inspection.contents.isEmpty { try inspection.requireUsable() }
            throw .notEmpty(inspection.contents)
        }
    }

    /// Makes a new operator key; the one before is then invalid. It works although the key is lost or damaged, but not
    /// if anything else is wrong with the folder.
    package static func replaceOperatorKey(at path: String) throws(DataFolderError) {
        let folder = try HeldFolder(at: path) { $0.file == FolderFile.operatorKey && $0.isLoss }
        try folder.creator.writeOperatorKey()
        try FingerprintNote(path: path).writeOperatorKey()
    }

    /// Lets the service use a ring of signing keys that it did not write. Links of the keys that it lacks do not open
    /// any more.
    ///
    /// - Throws: ``DataFolderError/keyRingIsOwn`` if the service wrote it.
    package static func acceptKeyRing(at path: String) throws(DataFolderError) {
        let name = FolderFile.keyRing
        let folder = try HeldFolder(at: path) { finding in
            guard case .otherKeys = finding.fault else { return false }
            return finding.file == name
        }
        guard !folder.inspection.findings.isEmpty else { throw .keyRingIsOwn }
        let file = KeyRingFile(in: path, folder: folder.creator.manifest.folder)
        try file.note(try file.read())
    }

    /// Makes an empty spool if it is missing. The clicks in the lost one are lost.
    ///
    /// - Throws: ``DataFolderError/spoolIsThere`` if nothing is lost, ``DataFolderError/notEmpty(_:)`` if a part of the
    ///   lost file is left in its log: SQLite would take it for a part of the new file.
    package static func replaceSpool(at path: String) throws(DataFolderError) {
        let name = FolderDatabases.spoolName
        let folder = try HeldFolder(at: path) { finding in
            finding.file == name && [.missing, .empty, .foreign].contains(finding.fault)
        }
        let (findings, id) = (folder.inspection.findings, folder.creator.manifest.folder)
        if findings.allSatisfy({ $0.fault == .foreign }) {
            try completeSpool(at: path, findings, id)
            return
        }
        let logs = [DatabasePaths.log(of: name), DatabasePaths.journal(of: name)]
        let rest = logs.filter { (FileStatus("\(path)/\($0)")?.size ?? 0) > 0 }
        guard rest.isEmpty else { throw .notEmpty(rest) }
        // A normal stop leaves an empty log and its index.
        for file in logs + [DatabasePaths.logIndex(of: name)] { unlink("\(path)/\(file)") }
        try FolderDatabases.putSpool(in: path, id: id)
    }

    /// An earlier version made a spool in its place: if it was killed, the file has no rows and names no folder.
    private static func completeSpool(
        at path: String, _ findings: [FolderFinding], _ id: FolderID
    ) throws(DataFolderError) {
        if case .own(_?, _) = DatabaseFileProbe(path: "\(path)/\(FolderDatabases.spoolName)") {
            throw findings.isEmpty ? .spoolIsThere : .unusable(findings)
        }
        guard try FolderDatabases.completeSpool(in: path, id: id) else {
            throw findings.isEmpty ? .spoolIsThere : .unusable(findings)
        }
    }
}

/// A folder that is complete except for the excepted files, and is held by this process.
private struct HeldFolder: ~Copyable {
    let inspection: FolderInspection
    let creator: FolderCreator
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
        creator = FolderCreator(path: path, manifest: manifest, now: .now)
        self.inspection = inspection
        self.lock = lock
    }

    private static func manifest(_ inspection: FolderInspection) throws(DataFolderError) -> FolderManifest {
        switch inspection.state {
        case .made(let manifest): return manifest
        case .unmarked(let known):
            // A service that starts on a folder without a manifest uses the id that it finds in a database.
            var generator = SecureRandom()
            return FolderManifest(folder: known ?? FolderID(using: &generator), madeAt: .now, isComplete: true)
        case .empty, .unfinished, .unknown: throw .notThere
        }
    }
}

extension FolderFinding {
    /// Whether the content of the file is lost, as opposed to a file that may have been replaced.
    var isLoss: Bool { fault == .missing || fault == .empty || fault == .damaged }
}
