import Foundation
import Identifiers
import Organizations
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Service

/// A backup is there whole, under its name, or it is nowhere.
@Suite struct FolderBackupsTests {
    private struct DiskFailure: StoreFailure {
        let isTransient = false
        let description = "the disk failed"
    }

    /// A database of one file. Calls `onCopy` with the number of the copy, before it is on disk.
    private final class Source: BackupSource {
        private let name: String
        private let state = Mutex((copies: 0, erasures: 0))
        private let onCopy: @Sendable (Source, Int) async throws -> Void

        init(_ name: String, onCopy: @escaping @Sendable (Source, Int) async throws -> Void = { _, _ in }) {
            self.name = name
            self.onCopy = onCopy
        }

        var erasures: Int { state.withLock { $0.erasures } }
        var copies: Int { state.withLock { $0.copies } }

        func erase() { state.withLock { $0.erasures += 1 } }

        func copy(into folder: String, mayGoOn: @escaping @Sendable () throws -> Void) async throws {
            try mayGoOn()
            let copy = state.withLock { state in
                state.copies += 1
                return state.copies
            }
            try await onCopy(self, copy)
            try mayGoOn()
            try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    private static let name = NewestBackup.name(startedAt: .noon)

    private func backups(_ made: MadeFolder, _ storage: Source = Source("consentlink.db")) throws -> FolderBackups {
        _ = try DataFolder(at: made.path, now: .noon).checkpointFiles()
        return FolderBackups(
            databases: DatabaseBackup(spool: Source("spool.db"), storage: storage), dataFolder: made.path,
            backups: made.beside.path(of: "backups"), now: { .noon })
    }

    /// What is in the folder for backups, hidden or not.
    private func left(_ made: MadeFolder) throws -> [String] {
        let folder = made.beside.path(of: "backups")
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("a backup has the databases, the keys and the checkpoints, with their sizes, for its owner alone")
    func complete() async throws {
        try await MadeFolder.with { made in
            let maker = try backups(made)
            try made.write([7], to: "checkpoints/acme.txt")
            let backup = try await maker.make()
            #expect(backup.folder == made.beside.path(of: "backups/\(Self.name)"))
            #expect(backup.startedAt == .noon && backup.finishedAt == .noon)
            #expect(backup.includesDatabase)
            let names = DataFolder.secretFiles + FolderDatabases.names + ["checkpoints/acme.txt"]
            #expect(backup.files.map(\.name) == names.sorted())
            for file in backup.files {
                let copy = try Data(contentsOf: URL(filePath: "\(backup.folder)/\(file.name)"))
                #expect(copy.count == Int(file.bytes))
                if !file.name.hasSuffix(".db") { #expect(try Array(copy) == made.bytes(of: file.name)) }
            }
            for path in ["backups", "backups/\(Self.name)", "backups/\(Self.name)/checkpoints"] {
                #expect(try made.beside.permissions(of: path) == 0o700)
            }
            #expect(try left(made) == [Self.name])
        }
    }

    @Test("while one is made a second is refused, and one after it is not")
    func underWay() async throws {
        try await MadeFolder.with { made in
            let (started, go) = (Latch(), Latch())
            let maker = try backups(
                made,
                Source("consentlink.db") { _, copy in
                    guard copy == 1 else { return }
                    started.open()
                    _ = await go.wait()
                })
            let first = Task { try await maker.make() }
            _ = await started.wait()
            let refusal = await #expect(throws: BackupError.self) { try await maker.make() }
            #expect(refusal?.description == "A backup is being made already.")
            #expect(try left(made) == [".unfinished-\(Self.name)"])
            go.open()
            #expect(try await first.value.files.count > 5)
        }
    }

    @Test("an erasure meanwhile makes it begin anew, so often and no more", arguments: [1, 4, 5])
    func erasedMeanwhile(_ erasures: Int) async throws {
        try await MadeFolder.with { made in
            let storage = Source("consentlink.db") { source, copy in if copy <= erasures { source.erase() } }
            let maker = try backups(made, storage)
            if erasures < 5 {
                _ = try await maker.make()
                #expect(storage.copies == erasures + 1)
                #expect(try left(made) == [Self.name])
            } else {
                let error = await #expect(throws: BackupError.self) { try await maker.make() }
                #expect(error?.description.contains("People were erased") == true)
                #expect(try left(made) == [])
            }
        }
    }

    @Test("a failure of the disk leaves nothing, and the next attempt is as if there had been none")
    func failure() async throws {
        try await MadeFolder.with { made in
            let maker = try backups(made, Source("consentlink.db") { _, copy in if copy == 1 { throw DiskFailure() } })
            await #expect(throws: DiskFailure.self) { try await maker.make() }
            #expect(try left(made) == [])
            _ = try await maker.make()
            #expect(try left(made) == [Self.name])
        }
    }

    @Test(
        "a key that is lost or open to others is in no backup, and there is none without it",
        arguments: [
            FolderInspectionTests.Change.lost, .open, .linked,
        ])
    func keys(_ change: FolderInspectionTests.Change) async throws {
        try await MadeFolder.with { made in
            let maker = try backups(made)
            try change.make(of: "erasure.key", in: made, other: made)
            let error = await #expect(throws: DataFolderError.self) { try await maker.make() }
            #expect(error?.description.contains("erasure.key") == true)
            #expect(try left(made) == [])
        }
    }

    @Test("what a process that was killed left unfinished is removed by the next, and nothing else is")
    func leftovers() async throws {
        try await MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            let own = ["2026-11-20T01-00-00.000Z", "notes"]
            for name in own + [".unfinished-2026-11-21T01-00-00.000Z", ".unfinished-\(Self.name)"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)/checkpoints", withIntermediateDirectories: true)
            }
            _ = try await backups(made).make()
            #expect(try left(made) == (own + [Self.name]).sorted())
        }
    }

    @Test("where no folder can be made, or a backup of that name is there, there is none and the old one stays")
    func noPlace() async throws {
        try await MadeFolder.with { made in
            let maker = try backups(made)
            try made.beside.write("a file", to: "backups")
            await #expect(throws: BackupError.self) { try await maker.make() }
            #expect(try made.beside.text(of: "backups") == "a file")
            try FileManager.default.removeItem(atPath: made.beside.path(of: "backups"))
            _ = try await maker.make()
            await #expect(throws: BackupError.self) { try await maker.make() }
            #expect(try left(made) == [Self.name])
        }
    }

    @Test("when the service ends meanwhile, it ends, and nothing is left")
    func ending() async throws {
        try await MadeFolder.with { made in
            let (started, go) = (Latch(), Latch())
            let source = Source("consentlink.db") { _, _ in
                started.open()
                // In a task of its own, which is not cancelled with the backup.
                _ = await Task.detached { await go.wait() }.value
            }
            let maker = try backups(made, source)
            let making = Task { try await maker.make() }
            _ = await started.wait()
            making.cancel()
            go.open()
            let error = await #expect(throws: BackupError.self) { try await making.value }
            #expect(error?.description == "The service is ending.")
            #expect(try left(made) == [])
        }
    }
}
