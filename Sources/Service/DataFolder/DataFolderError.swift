import Foundation
import StoragePorts
import SystemPackage

/// Why the data folder cannot be used. It names only files, never their folder, but for the folder for backups.
package enum DataFolderError: StoreFailure, Equatable {
    /// Has the system's reason.
    case cannotBeMade(String)
    /// Another process uses it; its number, if known.
    case inUse(process: Int32?)
    /// Has the system's reason; no other process uses the folder.
    case cannotLock(String)
    /// Has the system's reason.
    case cannotRead(String, because: String)
    /// A part of a database could not be read, so it is not known whether it is damaged.
    case unreadPage(of: String)
    /// Has the system's reason.
    case cannotWrite(String, because: String)
    /// Its file system is mounted read-only.
    case readOnly
    case full
    /// The process or the system cannot open more files.
    case tooManyFiles
    /// Files are lost, damaged, of another folder, or open to other users. Nothing was changed.
    case unusable([FolderFinding])
    /// It was made for another storage than the settings name. Nothing was changed.
    case otherStorage(made: StorageKind, asked: StorageKind)
    /// A folder that should be made is not empty. Nothing was changed.
    case notEmpty([String])
    /// There is no folder to change.
    case notThere
    /// A spool that should be replaced exists and can be used.
    case spoolIsThere
    /// The signing keys that should be accepted are those that the service wrote.
    case keyRingIsOwn
    /// The data folder is missing or empty, and it is unknown whether there are backups of it. Nothing was changed.
    case unreadableBackups(UnreadableBackups)

    package var description: String {
        switch self {
        case .cannotBeMade(let reason): "the data folder cannot be made: \(reason)"
        case .inUse(let process?): "the data folder is in use by process \(process)"
        case .inUse(nil): "the data folder is in use by another process"
        case .cannotLock(let reason): "the data folder cannot be locked: \(reason)"
        case .cannotRead(FolderFinding.folder, let reason): "the folder cannot be read: \(reason)"
        case .cannotRead(let name, let reason): "\(name) in the data folder cannot be read: \(reason)"
        case .unreadPage(let databases):
            """
            a part of \(databases) could not be read: see why (dmesg). Once the service is stopped, consentlink doctor \
            tells whether a database is damaged
            """
        case .cannotWrite(let name, let reason): "\(name) in the data folder cannot be written: \(reason)"
        case .readOnly: "the file system of the data folder is mounted read-only"
        case .full: "the disk is full"
        case .tooManyFiles: "too many files are open"
        case .unusable(let findings): findings.map(\.description).joined(separator: "; ")
        case .otherStorage(let made, let asked):
            """
            it was made for \(made.description), and the setting storage names \(asked.description): name the storage \
            that it was made for, or another folder
            """
        case .notEmpty(let names): "the folder is not empty: it has \(names.joined(separator: ", "))"
        case .notThere: "there is no data folder"
        case .spoolIsThere: "spool.db is there and can be used"
        case .keyRingIsOwn: "keyring.json has the signing keys that the service wrote"
        case .unreadableBackups(let backups): "it is empty or does not exist, and \(backups)"
        }
    }

    /// Whether the cause is a lack of space or of file descriptors.
    package var isTransient: Bool { self == .full || self == .tooManyFiles }

    /// - Parameter error: of a system call; returns `nil` if it says nothing about the file system or the process.
    init?(_ error: Errno) {
        switch error {
        case .noSpace, .diskQuotaExceeded: self = .full
        case .readOnlyFileSystem: self = .readOnly
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: self = .tooManyFiles
        default: return nil
        }
    }

    /// The error for a file or the folder of which a system call failed that was to read it.
    static func reading(_ name: String, failedWith error: Errno) -> DataFolderError {
        DataFolderError(error) ?? .cannotRead(name, because: "\(error)")
    }

    /// The error for a file of which a system call failed that was to make, write or remove it.
    static func writing(_ name: String, failedWith error: Errno) -> DataFolderError {
        DataFolderError(error) ?? .cannotWrite(name, because: "\(error)")
    }

    static func unusable(_ file: String, _ fault: FolderFinding.Fault) -> DataFolderError {
        .unusable([FolderFinding(file, fault)])
    }
}

extension Error {
    /// The system's error in one of Foundation; `nil` if there is none.
    var systemError: Errno? {
        ((self as? CocoaError)?.underlying as? POSIXError).map { Errno(rawValue: $0.code.rawValue) }
    }
}
