import Foundation
import Identifiers
import LocalFiles
import NIOPosix
import SystemPackage
import UseCases

/// The last checkpoint of each ledger, one file each. The database must agree with them, and cannot change them.
struct CheckpointFiles: Sendable {
    let folder: String
    /// Watches the data folder: nothing is written into a folder that is no longer the service's. A checkpoint newer
    /// than the databases of that folder would close its ledgers.
    var watch: FolderWatch?

    private func file(of organization: OrganizationID) -> SecretFile {
        // With an ending, because an organization may have the name of another's unfinished file.
        SecretFile(path: "\(folder)/\(organization)\(Self.ending)")
    }

    /// Copies all of them and their list into a folder that does not exist yet. Each copy was signed; some may be older
    /// than others, because the service continues to sign.
    ///
    /// - Throws: ``DataFolderError/unusable(_:)`` if the folder is missing, or if a file in it may not be the service's
    ///   own; ``UnwritableBackup`` if the other folder cannot be made; another ``DataFolderError``.
    func copy(into path: String) throws {
        _ = try content()
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw UnwritableBackup(path, error)
        }
        // Copied before the files: a ledger that is signed meanwhile may then be a file without a name in the list.
        try CheckpointList(in: folder).copy(into: path)
        for name in try content() where name.hasSuffix(Self.ending) {
            guard let note = try SecretFile(path: "\(folder)/\(name)").read() else { continue }
            do throws(DataFolderError) { try SecretFile(path: "\(path)/\(name)").write(note) } catch {
                throw UnwritableBackup("\(path)/\(name)", reason: error.description)
            }
        }
    }

    static let ending = ".txt"

    /// The organizations that have a file, from the names of the files.
    func names() throws(DataFolderError) -> [String] {
        try content().filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }.sorted()
    }

    /// The names of everything in the folder.
    private func content() throws(DataFolderError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            let status: FileStatus?
            do throws(Errno) { status = try FileStatus.find(folder, followsLink: true) } catch {
                throw .reading(FolderFile.checkpoints, failedWith: error)
            }
            guard status?.type == .directory else {
                throw .unusable(FolderFile.checkpoints, status == nil ? .missing : .notAFolder)
            }
            throw .reading(FolderFile.checkpoints, failedWith: error.systemError ?? .ioError)
        }
    }
}

extension CheckpointFiles: CheckpointArchive {
    func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]? {
        try await Self.waiting { () throws(DataFolderError) in try file(of: organization).read() }
    }

    func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure) {
        if let loss = watch?.check() {
            throw CheckpointArchiveFailure(isTransient: false, description: loss.description)
        }
        try await Self.waiting { () throws(DataFolderError) in
            let file = file(of: organization)
            let list = CheckpointList(in: folder)
            // On the list before there is a file: then a file that was removed is on the list, whatever failed.
            if FileStatus(file.path) == nil, try !list.mayHave(organization) { try list.add(organization) }
            try file.write(note)
        }
    }

    func mayHaveHad(_ organization: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool {
        try await Self.waiting { () throws(DataFolderError) in try CheckpointList(in: folder).mayHave(organization) }
    }

    func remember(_ organizations: Set<OrganizationID>) async throws(CheckpointArchiveFailure) {
        try await Self.waiting { () throws(DataFolderError) in try CheckpointList(in: folder).make(organizations) }
    }

    /// Runs `work` on a thread of its own, because it waits for the disk.
    private static func waiting<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DataFolderError) -> Value
    ) async throws(CheckpointArchiveFailure) -> Value {
        do {
            return try await NIOThreadPool.singleton.runIfActive(work)
        } catch let error as DataFolderError {
            throw CheckpointArchiveFailure(isTransient: error.isTransient, description: error.description)
        } catch {
            // The thread pool has ended, as it does with the process.
            throw CheckpointArchiveFailure(isTransient: false, description: "the service is ending")
        }
    }
}
