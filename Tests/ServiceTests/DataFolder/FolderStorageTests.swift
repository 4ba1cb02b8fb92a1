import Foundation
import LocalFiles
import SQL
import SQLiteFiles
import TestSupport
import Testing

@testable import Service

/// A data folder is made for one kind of storage, and is never started with another.
@Suite struct FolderStorageTests {
    private func made(_ storage: StorageKind, _ body: (MadeFolder) throws -> Void) throws {
        try MadeFolder.with(storage, body)
    }

    @Test("a folder for PostgreSQL has its spool and its keys, and no database file")
    func files() throws {
        try made(.postgres) { folder in
            #expect(folder.has("spool.db") && folder.has("erasure.key"))
            #expect(!folder.has("consentlink.db"))
            let taken = try DataFolder(at: folder.path, storage: .postgres, now: .noon)
            #expect(taken.events == [])
            let isNew = taken.isNew
            #expect(isNew)
        }
    }

    @Test(
        "a start with another storage is refused, says what both are, and changes nothing",
        arguments: StorageKind.allCases)
    func other(made kind: StorageKind) throws {
        let asked: StorageKind = kind == .sqlite ? .postgres : .sqlite
        try made(kind) { folder in
            let before = try folder.state
            let error = #expect(throws: DataFolderError.self) {
                _ = try DataFolder(at: folder.path, storage: asked, now: .noon)
            }
            #expect(error == .otherStorage(made: kind, asked: asked))
            #expect(error?.description.contains("made for \(kind.description)") == true)
            #expect(try folder.state == before)
            #expect(!folder.has("consentlink.db") == (kind == .postgres))
        }
    }

    @Test("the manifest keeps the storage, and one of the embedded store is what it was before")
    func manifest() throws {
        try made(.postgres) { folder in
            let bytes = try folder.bytes(of: "manifest.json")
            #expect(try FolderManifest(bytes).storage == .postgres)
            let unknown = String(decoding: bytes, as: UTF8.self).replacing("\"postgres\"", with: "\"mysql\"")
            #expect(throws: FolderFinding.Fault.newer) { try FolderManifest(Array(unknown.utf8)) }
        }
        try made(.sqlite) { folder in
            let text = String(decoding: try folder.bytes(of: "manifest.json"), as: UTF8.self)
            #expect(!text.contains("storage"))
        }
    }

    @Test("a folder for PostgreSQL that lost its manifest is not taken for one of the embedded store")
    func lostManifest() throws {
        try made(.postgres) { folder in
            try folder.remove("manifest.json")
            for storage in StorageKind.allCases {
                let error = #expect(throws: DataFolderError.self) {
                    _ = try DataFolder(at: folder.path, storage: storage, now: .noon)
                }
                #expect(error == .unusable([FolderFinding("manifest.json", .missing)]))
            }
            #expect(!folder.has("consentlink.db"))
            let entries = FolderDiagnosis(
                data: folder.path, backups: folder.path(of: "none"), storage: .postgres, now: .noon
            ).entries.filter { $0.subject == "folder" }
            #expect(entries.contains { $0.remedy?.contains("whether the database is on a server") == true })
            #expect(!entries.contains { $0.text.contains("consentlink.db") || $0.text.contains("writes one") })
        }
    }

    @Test("a database that turns out to be damaged after it was opened is named, and a disk that fails is not")
    func damage() {
        let damaged = StorageError.failed(EngineFault(sqlite: 11))
        let finding = FolderFinding("consentlink.db or spool.db", .damaged)
        #expect(FolderDatabases.damage(damaged, .sqlite) == .unusable([finding]))
        for error in [StorageError.failed(EngineFault(sqlite: 10)), .full, .busy] {
            #expect(FolderDatabases.damage(error, .sqlite) == nil)
        }
        #expect(FolderDatabases.damage(CancellationError(), .sqlite) == nil)
    }

    @Test("a lost spool is noticed, and replaced when the operator asks for it")
    func lostSpool() throws {
        try made(.postgres) { folder in
            for ending in ["", "-wal", "-shm"] where folder.has("spool.db\(ending)") {
                try folder.remove("spool.db\(ending)")
            }
            #expect(throws: DataFolderError.self) {
                _ = try DataFolder(at: folder.path, storage: .postgres, now: .noon)
            }
            try DataFolderTask.replaceSpool(at: folder.path)
            let events = try DataFolder(at: folder.path, storage: .postgres, now: .noon).events
            #expect(events == [])
        }
    }

    @Test("the doctor says when the settings name another storage")
    func diagnosis() throws {
        try made(.postgres) { folder in
            for (storage, isWell) in [(StorageKind.sqlite, false), (.postgres, true)] {
                let entries = FolderDiagnosis(
                    data: folder.path, backups: folder.path(of: "none"), storage: storage, now: .noon
                ).entries.filter { $0.subject == "folder" }
                #expect(entries.allSatisfy { $0.remedy == nil } == isWell)
                #expect(entries.contains { $0.text.contains("made for PostgreSQL") } == !isWell)
            }
        }
    }

    @Test("a database is not put before a log that cannot be removed")
    func otherLog() throws {
        try made(.sqlite) { folder in
            try FileManager.default.copyItem(
                atPath: folder.path(of: "consentlink.db"), toPath: folder.path(of: "copy.db"))
            let before = FileStatus(folder.path(of: "consentlink.db"))?.inode
            let log = folder.path(of: "consentlink.db-wal")
            if folder.has("consentlink.db-wal") { try folder.remove("consentlink.db-wal") }
            try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
            #expect(throws: DataFolderError.self) {
                try FolderDatabases.put(folder.path(of: "copy.db"), as: "consentlink.db", in: folder.path)
            }
            #expect(FileStatus(folder.path(of: "consentlink.db"))?.inode == before)
            try FileManager.default.removeItem(atPath: log)
            try FolderDatabases.put(folder.path(of: "copy.db"), as: "consentlink.db", in: folder.path)
            #expect(FileStatus(folder.path(of: "consentlink.db"))?.inode != before && !folder.has("copy.db"))
        }
    }
}
