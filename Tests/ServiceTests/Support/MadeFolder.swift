import Foundation
import Glibc
import Identifiers
import TestSupport

@testable import Service

/// A data folder as `consentlink init` makes it, in a folder where there is room for what belongs beside it.
struct MadeFolder {
    let beside: TemporaryFolder
    let path: String
    let id: FolderID

    private init(_ folder: TemporaryFolder, _ storage: StorageKind) throws {
        beside = folder
        path = folder.path(of: "data")
        id = try DataFolderTask.make(at: path, storage: storage)
    }

    private init(copyOf original: MadeFolder) throws {
        (beside, id) = (original.beside, original.id)
        path = beside.path(of: UUID().uuidString)
        try FileManager.default.copyItem(atPath: original.path, toPath: path)
    }

    /// The same folder once more, beside this one.
    func copied() throws -> MadeFolder { try MadeFolder(copyOf: self) }

    static func with<Result>(
        _ storage: StorageKind = .sqlite, _ body: (MadeFolder) throws -> Result
    ) throws -> Result {
        try TemporaryFolder.with { folder in
            try body(MadeFolder(folder, storage))
        }
    }

    static func with<Result>(
        _ storage: StorageKind = .sqlite, _ body: (MadeFolder) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            try await body(MadeFolder(folder, storage))
        }
    }

    /// The whole folder under a backup's name in a folder for backups, as a backup has it.
    func backUp(in backups: String, startedAt: Timestamp) throws {
        try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: path, toPath: "\(backups)/\(NewestBackup.name(startedAt: startedAt))")
    }

    func path(of file: String) -> String { "\(path)/\(file)" }

    func bytes(of file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(of: file)))) }

    /// Writes over a file, whose mode stays.
    func write(_ bytes: [UInt8], to file: String) throws {
        if !FileManager.default.fileExists(atPath: path(of: file)) {
            close(creat(path(of: file), 0o600))
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: path(of: file)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    func has(_ file: String) -> Bool { FileManager.default.fileExists(atPath: path(of: file)) }

    func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: path(of: file)) }

    /// Opens the folder as a service does, and lets go of it.
    @discardableResult
    func open(at now: Timestamp = .noon) throws -> [DataFolder.Event] { try DataFolder(at: path, now: now).events }

    /// Every file with its size, mode and time of change.
    var state: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: path).sorted().map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: path(of: name))
                let date = attributes[.modificationDate] as? Date
                return "\(name) \(attributes[.size] ?? 0) \(attributes[.posixPermissions] ?? 0) \(date ?? .distantPast)"
            }
        }
    }
}
