import Consent
import Cryptography
import Foundation
import GRDB
import Identifiers
import Interactions
import Ledger
import Messages
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct OpeningTests {
    @Test("every file is its owner's alone")
    func modes() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            let files = try fixture.folder.files
            #expect(files == ["consentlink.db", "consentlink.db-shm", "consentlink.db-wal"])
            for file in files {
                let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path(of: file))
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
            }
        }
    }

    @Test("what was stored is there after closing and opening")
    func reopening() async throws {
        try await withSQLite { fixture in
            let record = try await fixture.ports.record(.given, for: .ana)
            let message = try await fixture.ports.message()
            let first = try await fixture.ports.decide([(try .ana, .consentGiven)], of: message)[0]
            let reopened = try fixture.reopened()
            #expect(try fixture.folder.files.contains("consentlink.db-wal"))
            #expect(try await reopened.ports.status(of: .ana) == .inForce(record.inForce))
            // Ids go on after the last, though the clock stands still.
            let second = try await reopened.ports.decide([(try .ana, .consentGiven)], of: message)[0]
            #expect(second.id > first.id)
            #expect(second.reference == first.reference)
            let later = try await reopened.ports.record(.withdrawn, for: .ana)
            #expect(later.id > record.id)
            try reopened.storage.close()
        }
    }

    @Test("after closing there is no log left, only the file")
    func closing() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try fixture.storage.close()
            #expect(try fixture.folder.files == ["consentlink.db"])
        }
    }

    @Test("another erasure key is refused, for nobody would be recognised")
    func wrongKey() async throws {
        try await withSQLite { fixture in
            try fixture.storage.close()
            #expect(throws: WrongErasureKey()) {
                try SQLiteStorage.open(
                    folder: fixture.folder.path,
                    erasureKey: SecretBytes([UInt8](repeating: 8, count: 32)),
                    ledgerHost: "links.example",
                    observer: RecordingObserver(),
                    clock: { .noon }
                )
            }
        }
    }

    @Test("a file of a later version is left alone")
    func newerSchema() async throws {
        try await refused("PRAGMA user_version = 99", .newerSchema(found: 99, known: Schema.main.versions.count))
    }

    @Test("a file of another program is left alone")
    func foreignFile() async throws {
        try await refused("PRAGMA application_id = 1", .foreignFile)
    }

    @Test("a file with a trigger is left alone: it would not store what is acknowledged")
    func foreignCode() async throws {
        try await refused(
            "CREATE TRIGGER t BEFORE INSERT ON consents WHEN new.state = 3 BEGIN SELECT raise(ignore); END",
            .foreignCode)
    }

    @Test("a file that is no database is refused")
    func noDatabase() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let garbage = Data((0..<5000).map { UInt8($0 % 251) })
        try garbage.write(to: URL(filePath: folder.path(of: SQLiteStorage.fileName)))
        #expect(throws: StorageError.failed(EngineFault(sqlite: 26))) { try SQLiteFixture(folder) }
    }

    @Test("a folder that is not there is said to be the reason, without its name")
    func noFolder() throws {
        let error = #expect(throws: StorageError.cannotCreateFile(reason: "No such file or directory")) {
            try SQLiteDatabase(
                path: "/nowhere/at/all/consentlink.db",
                participant: LedgerWriting(CommittedLedgers(), host: "links.example"),
                rules: RuleChangeBuffer(observer: RecordingObserver()),
                clock: { .noon })
        }
        #expect(error?.description.contains("nowhere") == false)
    }

    private func refused(_ pragma: String, _ error: StorageError) async throws {
        try await withSQLite { fixture in
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try file.writeWithoutTransaction { try $0.execute(sql: pragma) }
            try file.close()
            #expect(throws: error) { try SQLiteFixture(fixture.folder) }
        }
    }
}
