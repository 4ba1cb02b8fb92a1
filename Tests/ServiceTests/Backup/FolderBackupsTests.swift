import Foundation
import Glibc
import Identifiers
import StoragePorts
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

    @Test("a backup has the databases, the keys and the checkpoints, with their sizes, for its owner alone")
    func complete() async throws {
        try await MadeFolder.with { made in
            let maker = try backups(made)
            try made.write([7], to: "checkpoints/acme.txt")
            let backup = try await maker.make()
            #expect(backup.folder == made.beside.path(of: "backups/\(Self.name)"))
            #expect(backup.startedAt == .noon && backup.finishedAt == .noon)
            #expect(backup.includesDatabase)
            let names = FolderFile.secrets + FolderDatabases.names + ["checkpoints/acme.txt"]
            #expect(backup.files.map(\.name) == names.sorted())
            for file in backup.files {
                let copy = try Data(contentsOf: URL(filePath: "\(backup.folder)/\(file.name)"))
                #expect(copy.count == Int(file.bytes))
                guard !file.name.hasSuffix(".db"), file.name != FolderFile.manifest else { continue }
                #expect(try Array(copy) == made.bytes(of: file.name))
            }
            for path in ["backups", "backups/\(Self.name)", "backups/\(Self.name)/checkpoints"] {
                #expect(try made.beside.permissions(of: path) == 0o700)
            }
            #expect(try left(made) == [Self.name])
        }
    }

    @Test("a backup says that it is one, until a service starts on it")
    func mark() async throws {
        try await MadeFolder.with { made in
            let backup = try await backups(made).make()
            let manifest = try #require(try FolderManifest.read(in: made.path))
            var marked = manifest
            marked.isBackup = true
            #expect(try FolderManifest.read(in: backup.folder) == marked)
            for name in FolderDatabases.names {
                try Data(made.bytes(of: name)).write(to: URL(filePath: "\(backup.folder)/\(name)"))
                #expect(chmod("\(backup.folder)/\(name)", 0o600) == 0)
            }
            #expect(try DataFolder(at: backup.folder, now: .noon).id == made.id)
            #expect(try FolderManifest.read(in: backup.folder) == manifest)
        }
    }

    @Test("a backup that was copied over another folder is refused while that one's log is there")
    func leftBehind() throws {
        try MadeFolder.with { made in
            var manifest = try #require(try FolderManifest.read(in: made.path))
            try made.write([1, 2, 3], to: "consentlink.db-wal")
            #expect(try FolderInspection(of: made.path).findings == [], "its own log, after it was killed")
            manifest.isBackup = true
            try made.write(manifest.bytes, to: FolderFile.manifest)
            let before = try made.state
            #expect(throws: DataFolderError.unusable("consentlink.db-wal", .leftBehind)) {
                _ = try DataFolder(at: made.path, now: .noon)
            }
            #expect(try made.state.filter { !$0.hasPrefix("lock") } == before.filter { !$0.hasPrefix("lock") })
            try made.write([], to: "consentlink.db-wal")
            #expect(try FolderInspection(of: made.path).findings == [])
        }
    }

    @Test("while one is made a second is refused, and one after it is not")
    func underWay() async throws {
        try await MadeFolder.with { made in
            let (started, go) = (Latch(), Latch())
            let maker = try backups(
                made,
                Source("consentlink.db", of: made) { _, copy in
                    guard copy == 1 else { return }
                    started.open()
                    _ = await go.wait()
                })
            let first = Task { try await maker.make() }
            _ = await started.wait()
            let refusal = await #expect(throws: BackupError.self) { try await maker.make() }
            #expect(refusal?.description == "A backup is being made already.")
            #expect(try left(made) == [unfinished(made.id)])
            go.open()
            #expect(try await first.value.files.count > 5)
        }
    }

    @Test("an erasure meanwhile makes it begin anew, so often and no more", arguments: [1, 4, 5])
    func erasedMeanwhile(_ erasures: Int) async throws {
        try await MadeFolder.with { made in
            let storage = Source("consentlink.db", of: made) { source, copy in
                if copy <= erasures { source.erase() }
            }
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

    @Test(
        "somebody who is erased after the databases were copied is in no backup, nor is who is erased while it gets its name",
        arguments: [false, true])
    func erasedLate(_ isNamed: Bool) async throws {
        try await MadeFolder.with { made in
            // The last key, or the backup itself, is there when it is asked.
            let backups = made.beside.path(of: "backups")
            let sign = isNamed ? Self.name : "\(unfinished(made.id))/operator.key"
            let isErased = Mutex(false)
            let storage = Source(
                "consentlink.db", of: made,
                whenAsked: { source in
                    guard FileManager.default.fileExists(atPath: "\(backups)/\(sign)") else { return }
                    let isFirst = isErased.withLock { done in
                        defer { done = true }
                        return !done
                    }
                    if isFirst { source.erase() }
                })
            _ = try await self.backups(made, storage).make()
            #expect(isErased.withLock { $0 })
            #expect(storage.copies == 2)
            #expect(try left(made) == [Self.name])
        }
    }

    @Test("people who are erased whenever a backup has its name leave none of them")
    func erasedEachTime() async throws {
        try await MadeFolder.with { made in
            let named = made.beside.path(of: "backups/\(Self.name)")
            let storage = Source(
                "consentlink.db", of: made,
                whenAsked: { if FileManager.default.fileExists(atPath: named) { $0.erase() } })
            let maker = try backups(made, storage)
            let error = await #expect(throws: BackupError.self) { try await maker.make() }
            #expect(error?.description.contains("People were erased") == true)
            #expect(storage.copies == 5)
            #expect(try left(made) == [])
        }
    }

    @Test("a failure of the disk leaves nothing, and the next attempt is as if there had been none")
    func failure() async throws {
        try await MadeFolder.with { made in
            let maker = try backups(
                made, Source("consentlink.db", of: made) { _, copy in if copy == 1 { throw DiskFailure() } })
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
            let error = await #expect(throws: BackupError.self) { try await maker.make() }
            #expect(error?.description.contains("erasure.key") == true)
            #expect(try left(made) == [])
        }
    }

    @Test(
        "a key that is not the one of the running service is named, makes no backup, and leaves the older ones",
        arguments: ["keyring.json", "erasure.key", "ledger.key", "operator.key", "cluster.key"],
        [FolderInspectionTests.Change.emptied, .cut, .foreign])
    func otherKeys(_ file: String, _ change: FolderInspectionTests.Change) async throws {
        try await MadeFolder.with { other in
            try await MadeFolder.with { made in
                for folder in [made, other] { try writeClusterKey(in: folder) }
                let maker = try backups(made)
                let older = "2026-11-20T01-00-00.000Z"
                try FileManager.default.createDirectory(
                    atPath: made.beside.path(of: "backups/\(older)"), withIntermediateDirectories: true)
                try change.make(of: file, in: made, other: other)
                let error = await #expect(throws: BackupError.self) { try await maker.make() }
                guard case .unusable(let flaws) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(flaws.map(\.file) == [file])
                #expect(error?.description.contains("\(file) ") == true)
                #expect(error?.description.contains("from an older backup before the service ends") == true)
                #expect(try left(made) == [older])
            }
        }
    }

    @Test("a manifest of another folder, and a database that is none, make no backup")
    func otherFiles() async throws {
        try await MadeFolder.with { other in
            for file in ["manifest.json", "spool.db", "consentlink.db"] {
                try await MadeFolder.with { made in
                    let maker = try backups(made)
                    try made.write(other.bytes(of: file), to: file)
                    let error = await #expect(throws: BackupError.self) { try await maker.make() }
                    #expect(error?.description.contains("belongs to another data folder") == true)
                    #expect(try left(made) == [])
                }
            }
        }
    }

    @Test("the key of a cluster is in the backup, for its owner alone; which node the folder is, is not")
    func clusterKey() async throws {
        try await MadeFolder.with { made in
            try writeClusterKey(in: made)
            _ = try NodeFile(in: made.path).identity(name: nil, version: "1")
            let backup = try await backups(made).make()
            let names = backup.files.map(\.name)
            #expect(names.contains("cluster.key") && !names.contains("node.json"))
            let copy = try Data(contentsOf: URL(filePath: "\(backup.folder)/cluster.key"))
            #expect(try Array(copy) == made.bytes(of: "cluster.key"))
            #expect(try made.beside.permissions(of: "backups/\(Self.name)/cluster.key") == 0o600)
        }
    }

    @Test("what a process of this folder that was killed left unfinished is removed by the next, and nothing else is")
    func leftovers() async throws {
        try await MadeFolder.with { made in
            let folder = made.beside.path(of: "backups")
            var generator = SystemRandomNumberGenerator()
            let other = FolderID(using: &generator)
            // Of the version before, which named no folder: one may be on its way.
            let recent = ".unfinished-\(NewestBackup.name(startedAt: .noon + -86_400_000))"
            let old = ".unfinished-\(NewestBackup.name(startedAt: .noon + -86_400_001))"
            let own = ["2026-11-20T01-00-00.000Z", "notes", recent, unfinished(other, "2026-11-20T01-00-00.000Z")]
            for name in own + [old, unfinished(made.id), unfinished(made.id, "2026-11-21T01-00-00.000Z")] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)/checkpoints", withIntermediateDirectories: true)
            }
            _ = try await backups(made).make()
            #expect(try left(made) == (own + [Self.name]).sorted())
        }
    }

    @Test("where no folder can be made there is none, and what is in its place stays")
    func noPlace() async throws {
        try await MadeFolder.with { made in
            let log = CapturedLog()
            let maker = try backups(made, log: log)
            try made.beside.write("a file", to: "backups")
            let error = await #expect(throws: BackupError.self) { try await maker.make() }
            #expect(error?.description.contains("cannot be written") == true)
            #expect(log.lines.map(\.message) == ["a backup cannot be written"])
            #expect(log.lines.first?.metadata["path"] == made.beside.path(of: "backups"))
            #expect(log.lines.first?.metadata["error"]?.isEmpty == false)
            #expect(try made.beside.text(of: "backups") == "a file")
            try FileManager.default.removeItem(atPath: made.beside.path(of: "backups"))
            _ = try await maker.make()
            #expect(try left(made) == [Self.name])
        }
    }

    @Test("when the service ends meanwhile, it ends, and nothing is left")
    func ending() async throws {
        try await MadeFolder.with { made in
            let (started, go) = (Latch(), Latch())
            let source = Source("consentlink.db", of: made) { _, _ in
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
