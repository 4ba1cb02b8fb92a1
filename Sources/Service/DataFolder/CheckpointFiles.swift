import Foundation
import Identifiers
import NIOPosix
import UseCases

/// The last checkpoint of each ledger, a file each: what the database must agree with, and cannot change.
struct CheckpointFiles: Sendable {
    let folder: String
    /// Of the data folder: nothing is written into one that is not the service's any more. A newer checkpoint than the
    /// databases of that folder have would close its ledgers.
    var watch: FolderWatch?

    private func file(of organization: OrganizationID) -> SecretFile {
        // With an ending, for an organization may be called as the unfinished file of another.
        SecretFile(path: "\(folder)/\(organization)\(Self.ending)")
    }

    /// Copies all of them and their list into a folder that is not there yet. Each is one that was signed; some may be
    /// older than others, because the service goes on signing.
    func copy(into path: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        // Before the files: of what is signed meanwhile the copy may have the file and not the name.
        try CheckpointList(in: folder).copy(into: path)
        for name in try files.contentsOfDirectory(atPath: folder) where name.hasSuffix(Self.ending) {
            guard let note = try SecretFile(path: "\(folder)/\(name)").read() else { continue }
            try SecretFile(path: "\(path)/\(name)").write(note)
        }
    }

    static let ending = ".txt"

    /// The organizations that have a file, by what their files are called.
    func names() throws(DataFolderError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }.sorted()
        } catch {
            throw .cannotRead(FolderFile.checkpoints)
        }
    }
}

extension CheckpointFiles: CheckpointArchive {
    func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]? {
        try await Self.waiting { () throws(DataFolderError) in try file(of: organization).read() }
    }

    func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure) {
        if let loss = watch?.look() {
            throw CheckpointArchiveFailure(isTransient: false, description: loss.description)
        }
        try await Self.waiting { () throws(DataFolderError) in
            let file = file(of: organization)
            let isFirst = FileStatus(file.path) == nil
            try file.write(note)
            if isFirst { try CheckpointList(in: folder).add(organization) }
        }
    }

    func mayHaveHad(_ organization: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool {
        try await Self.waiting { () throws(DataFolderError) in try CheckpointList(in: folder).mayHave(organization) }
    }

    func remember(_ organizations: Set<OrganizationID>) async throws(CheckpointArchiveFailure) {
        try await Self.waiting { () throws(DataFolderError) in try CheckpointList(in: folder).make(organizations) }
    }

    /// Runs `work` on a thread of its own, for it waits for the disk.
    private static func waiting<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DataFolderError) -> Value
    ) async throws(CheckpointArchiveFailure) -> Value {
        do {
            return try await NIOThreadPool.singleton.runIfActive(work)
        } catch let error as DataFolderError {
            throw CheckpointArchiveFailure(isTransient: error.isTransient, description: error.description)
        } catch {
            // The thread pool has ended, which it does with the process.
            throw CheckpointArchiveFailure(isTransient: false, description: "the service is ending")
        }
    }
}
