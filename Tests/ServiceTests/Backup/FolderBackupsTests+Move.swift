import TestSupport
import Testing
import UseCases

@testable import Service

/// Backups of a folder whose storage is moved meanwhile.
extension FolderBackupsTests {
    @Test("a move that is not done is not in the backup, and after the switch none is made of the old database")
    func duringMove() async throws {
        try await MadeFolder.with { made in
            var manifest = try #require(try FolderManifest.read(in: made.path))
            let before = manifest
            manifest.begin(FolderMigration(from: "sqlite", to: "postgres:///links", passwordFile: nil, isDone: false))
            for commits: Int64? in [nil, 0] {
                if let commits { manifest.setMove(.copying(commits: commits)) }
                try manifest.write(in: made.path)
                let copy = try #require(try FolderManifest.read(in: try await backups(made).make().folder))
                #expect(copy.move == nil && copy.storage == before.storage)
            }
            let running = try backups(made)
            manifest.endMove()
            try manifest.write(in: made.path)
            await #expect(throws: BackupError.self) { try await running.make() }
        }
    }
}
