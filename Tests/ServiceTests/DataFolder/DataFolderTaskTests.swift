import Foundation
import Glibc
import Identifiers
import SQLiteFiles
import SQLiteSpool
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Service

/// What an operator does to a folder while no service runs on it.
@Suite struct DataFolderTaskTests {
    private func operatorKey(_ made: MadeFolder) throws -> String {
        try DataFolder(at: made.path, now: .noon).operatorKey().text
    }

    private func manifest(_ made: MadeFolder) throws -> FolderManifest {
        try FolderManifest(made.bytes(of: FolderFile.manifest))
    }

    @Test("a folder is made once; a second time it is refused, with the names of what is there")
    func makeTwice() throws {
        try MadeFolder.with { made in
            let before = try made.state
            let refusal = #expect(throws: DataFolderError.self) { try DataFolderTask.make(at: made.path) }
            guard case .notEmpty(let names) = refusal else {
                Issue.record("made again: \(String(describing: refusal))")
                return
            }
            #expect(Set(names).isSuperset(of: FolderManifest.files))
            #expect(try made.state == before)
        }
    }

    @Test("of two that make one folder at once, at most one has made it")
    func makeTogether() throws {
        for _ in 0..<10 {
            try TemporaryFolder.with { folder in
                let path = folder.path(of: "data")
                let made = Mutex(0)
                DispatchQueue.concurrentPerform(iterations: 2) { _ in
                    if (try? DataFolderTask.make(at: path)) != nil { made.withLock { $0 += 1 } }
                }
                #expect(made.withLock { $0 } == 1)
            }
        }
    }

    @Test("a file in the place of the folder is told as such")
    func makeOnFile() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "data")
            try Data().write(to: URL(filePath: path))
            #expect(throws: DataFolderError.unusable(FolderFinding.folder, .notAFolder)) {
                try DataFolderTask.make(at: path)
            }
        }
    }

    @Test(
        "a new operator key takes the place of the one before, also of one that is lost or damaged",
        arguments: [
            FolderInspectionTests.Change?.none, .lost, .emptied, .cut,
        ])
    func newOperatorKey(_ loss: FolderInspectionTests.Change?) throws {
        try MadeFolder.with { made in
            let old = try operatorKey(made)
            try FingerprintNote(path: made.path).write()
            try loss?.make(of: "operator.key", in: made, other: made)
            try DataFolderTask.replaceOperatorKey(at: made.path)
            #expect(try operatorKey(made) != old)
            #expect(try made.open() == [], "it was made by the operator, so no start warns of it")
        }
    }

    @Test("an operator key that was exchanged without that is told at the next start")
    func exchangedOperatorKey() throws {
        try MadeFolder.with { other in
            try MadeFolder.with { made in
                try FingerprintNote(path: made.path).write()
                try made.write(other.bytes(of: "operator.key"), to: "operator.key")
                #expect(try made.open() == [.otherOperatorKey])
            }
        }
    }

    @Test("a key of the ledgers that is not the one noted is foreign, and none is noted again for it")
    func exchangedLedgerKey() throws {
        try MadeFolder.with { other in
            try MadeFolder.with { made in
                #expect(try manifest(made).fingerprints == FolderFingerprints())
                try FingerprintNote(path: made.path).write()
                let noted = try manifest(made).fingerprints
                #expect(noted.ledgerKey?.count == 32 && noted.operatorKey?.count == 32)
                try made.write(other.bytes(of: "ledger.key"), to: "ledger.key")
                #expect(throws: DataFolderError.unusable("ledger.key", .foreign)) { try made.open() }
            }
        }
    }

    @Test("a key is exchanged, or a spool made anew, in no folder that has lost something else")
    func otherLoss() throws {
        try MadeFolder.with { made in
            try made.remove("erasure.key")
            let before = try made.state
            let lost = DataFolderError.unusable("erasure.key", .missing)
            #expect(throws: lost) { try DataFolderTask.replaceOperatorKey(at: made.path) }
            try made.remove("spool.db")
            #expect(throws: lost) { try DataFolderTask.replaceSpool(at: made.path) }
            #expect(try made.state == before.filter { !$0.hasPrefix("spool.db") })
        }
    }

    @Test("neither is done beside a service that runs, nor where there is no folder")
    func inUse() throws {
        try MadeFolder.with { made in
            let folder = try DataFolder(at: made.path, now: .noon)
            folder.sign()
            let inUse = DataFolderError.inUse(process: getpid())
            #expect(throws: inUse) { try DataFolderTask.replaceOperatorKey(at: made.path) }
            #expect(folder.id == made.id)
            let nowhere = made.beside.path(of: "nowhere")
            #expect(throws: DataFolderError.notThere) { try DataFolderTask.replaceSpool(at: nowhere) }
            #expect(!FileManager.default.fileExists(atPath: nowhere))
        }
    }

    @Test(
        "an empty spool takes the place of a lost one, for the same folder",
        arguments: [
            FolderInspectionTests.Change.lost, .emptied,
        ])
    func newSpool(_ loss: FolderInspectionTests.Change) throws {
        try MadeFolder.with { made in
            #expect(throws: DataFolderError.spoolIsThere) { try DataFolderTask.replaceSpool(at: made.path) }
            try loss.make(of: "spool.db", in: made, other: made)
            try DataFolderTask.replaceSpool(at: made.path)
            #expect(DatabaseFileProbe(path: made.path(of: "spool.db")) == .own(made.id, hasLedgers: false))
            try made.open()
        }
    }

    @Test("what an interrupted replacement leaves aside is no hindrance, and a file that was put there is one")
    func interruptedSpool() throws {
        try MadeFolder.with { made in
            try made.remove("spool.db")
            for name in ["spool.db.new", "spool.db.new-wal", "spool.db.new-shm"] { try made.write([1, 2], to: name) }
            try DataFolderTask.replaceSpool(at: made.path)
            #expect(DatabaseFileProbe(path: made.path(of: "spool.db")) == .own(made.id, hasLedgers: false))
            #expect(!made.has("spool.db.new") && !made.has("spool.db.new-wal") && !made.has("spool.db.new-shm"))
            try made.open()
            try made.remove("spool.db")
            try made.write([1], to: "spool.db.new-wal")
            #expect(chmod(made.path(of: "spool.db.new-wal"), 0o644) == 0)
            let planted = DataFolderError.unusable("spool.db.new-wal", .planted)
            #expect(throws: planted) { try DataFolderTask.replaceSpool(at: made.path) }
        }
    }

    @Test("a spool that was left without its folder is completed if it is empty, and one of another folder is kept")
    func unmarkedSpool() throws {
        try MadeFolder.with { made in
            try made.remove("spool.db")
            try SQLiteClickSpool(folder: made.path, slot: .single, drained: nil, clock: { .noon }).close()
            #expect(throws: DataFolderError.unusable("spool.db", .foreign)) { try made.open() }
            try DataFolderTask.replaceSpool(at: made.path)
            try made.open()
        }
        try MadeFolder.with { made in
            try MadeFolder.with { other in
                try made.write(other.bytes(of: "spool.db"), to: "spool.db")
                let before = try made.bytes(of: "spool.db")
                let foreign = DataFolderError.unusable("spool.db", .foreign)
                #expect(throws: foreign) { try DataFolderTask.replaceSpool(at: made.path) }
                #expect(try made.bytes(of: "spool.db") == before)
            }
        }
    }

    @Test("what an orderly stop leaves of a spool, an empty log and its index, is no hindrance")
    func emptyCompanions() throws {
        try MadeFolder.with { made in
            try made.remove("spool.db")
            try made.write([], to: "spool.db-wal")
            try made.write([0, 0, 0], to: "spool.db-shm")
            try DataFolderTask.replaceSpool(at: made.path)
            #expect(DatabaseFileProbe(path: made.path(of: "spool.db")) == .own(made.id, hasLedgers: false))
        }
    }

    @Test("no spool is made beside the log of the lost one: SQLite would take it for the new one's")
    func companions() throws {
        try MadeFolder.with { made in
            try made.remove("spool.db")
            try made.write([1, 2, 3], to: "spool.db-wal")
            let left = DataFolderError.notEmpty(["spool.db-wal"])
            #expect(throws: left) { try DataFolderTask.replaceSpool(at: made.path) }
            #expect(try made.bytes(of: "spool.db-wal") == [1, 2, 3])
        }
    }

    @Test(
        "a making that was cut short is finished, whatever was there by then, and keeps its id",
        arguments: [
            [], ["spool.db"], ["operator.key", "keyring.json"], FolderManifest.files,
        ])
    func unfinished(_ lost: [String]) throws {
        try MadeFolder.with { made in
            var manifest = try manifest(made)
            manifest.isComplete = false
            try made.write(manifest.bytes, to: FolderFile.manifest)
            for file in lost { try made.remove(file) }
            #expect(try FolderInspection(of: made.path).state == .unfinished(manifest))
            #expect(try made.open() == [.made])
            #expect(try self.manifest(made).folder == made.id)
            #expect(try made.open() == [])
        }
    }

    @Test("where a folder was before, or must not be made, no new one is")
    func requireUnlessNew() throws {
        try TemporaryFolder.with { folder in
            var settings = ServiceSettings()
            settings.dataFolder = folder.path(of: "data")
            try DataFolder.requireUnlessNew(settings)
            let lost = DataFolderError.unusable(FolderFinding.folder, .lost)
            settings.missingData = .refuse
            #expect(throws: lost) { try DataFolder.requireUnlessNew(settings) }
            settings.missingData = .make
            let backup = "\(settings.backupPath)/\(NewestBackup.name(startedAt: .noon))"
            try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: true)
            #expect(throws: lost) { try DataFolder.requireUnlessNew(settings) }
            _ = try DataFolderTask.make(at: settings.dataFolder)
            settings.missingData = .refuse
            try DataFolder.requireUnlessNew(settings)
        }
    }

    @Test("where the folder for backups is there and cannot be read, no folder is made, and one that was made starts")
    func unreadableBackups() throws {
        try TemporaryFolder.with { folder in
            var settings = ServiceSettings()
            settings.dataFolder = folder.path(of: "data")
            // Its volume is not mounted.
            try FileManager.default.createSymbolicLink(
                atPath: settings.backupPath, withDestinationPath: folder.path(of: "not-mounted"))
            let error = #expect(throws: DataFolderError.self) { try DataFolder.requireUnlessNew(settings) }
            guard case .unreadableBackups(let backups)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(backups.folder == settings.backupPath)
            #expect(error?.description.contains(settings.backupPath) == true)
            _ = try DataFolderTask.make(at: settings.dataFolder)
            try DataFolder.requireUnlessNew(settings)
        }
    }
}
