import Cryptography
import Foundation
import Identifiers
import StoragePorts
import Synchronization
import TestSupport
import TrackingIDs
import UseCases

@testable import Service

/// What backups are made of in these tests.
extension FolderBackupsTests {
    /// A database of one file, as it is in a folder. Calls `onCopy` with the number of the copy, before it is on disk.
    final class Source: BackupSource {
        private let file: String
        private let state = Mutex((copies: 0, erasures: 0))
        private let onCopy: @Sendable (Source, Int) async throws -> Void
        private let whenAsked: @Sendable (Source) -> Void

        init(
            _ name: String, of made: MadeFolder,
            onCopy: @escaping @Sendable (Source, Int) async throws -> Void = { _, _ in },
            whenAsked: @escaping @Sendable (Source) -> Void = { _ in }
        ) {
            file = made.path(of: name)
            self.onCopy = onCopy
            self.whenAsked = whenAsked
        }

        var erasures: Int {
            whenAsked(self)
            return state.withLock { $0.erasures }
        }
        var copies: Int { state.withLock { $0.copies } }

        func erase() { state.withLock { $0.erasures += 1 } }

        func copy(into folder: String, checkCancellation: @escaping @Sendable () throws -> Void) async throws {
            try checkCancellation()
            let copy = state.withLock { state in
                state.copies += 1
                return state.copies
            }
            try await onCopy(self, copy)
            try checkCancellation()
            let name = URL(filePath: file).lastPathComponent
            try FileManager.default.copyItem(atPath: file, toPath: "\(folder)/\(name)")
        }
    }

    static let name = NewestBackup.name(startedAt: .noon)

    func backups(
        _ made: MadeFolder, _ storage: Source? = nil, own: FolderID? = nil, log: CapturedLog = CapturedLog(),
        at now: @escaping @Sendable () -> Timestamp = { .noon }
    ) throws -> FolderBackups {
        let folder = try DataFolder(at: made.path, now: .noon)
        _ = try folder.checkpointFiles()
        let keys = KeysInUse(
            ring: CurrentKeyRing(try folder.keyRing().ring), erasureKey: try folder.erasureKey(),
            ledgerKey: try folder.ledgerKey(), operatorKey: try folder.operatorKey().digest,
            clusterKey: try ClusterKeyFile(in: made.path).read())
        return FolderBackups(
            databases: DatabaseBackup(
                spool: Source("spool.db", of: made), storage: storage ?? Source("consentlink.db", of: made)),
            keys: keys, dataFolder: made.path, folder: (made.id, own ?? made.id),
            backups: made.beside.path(of: "backups"), floor: DiskFloor(folder: made.path, mebibytes: 0), now: now,
            logger: log.logger)
    }

    func unfinished(_ owner: FolderID, _ name: String = name) -> String { ".unfinished-\(owner)-\(name)" }

    /// What is in the folder for backups, hidden or not.
    func left(_ made: MadeFolder) throws -> [String] {
        let folder = made.beside.path(of: "backups")
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    func writeClusterKey(in made: MadeFolder) throws {
        var generator = SystemRandomNumberGenerator()
        try ClusterKeyFile(in: made.path).write(SecretBytes(count: 32, using: &generator))
    }
}
