import GRDB
import GRDBSQLite
import SQL
import StoragePorts
import Testing

@testable import SQLiteFiles

/// What SQLite says, and what that means for a caller: whether to try again, and whether the file is done for.
@Suite struct StorageErrorTests {
    /// Of each family one with and one without an extension (sqlite.org/rescode.html).
    private static let fatalCodes: [Int32] = [
        SQLITE_IOERR, SQLITE_IOERR | 2 << 8, SQLITE_IOERR | 4 << 8, SQLITE_CORRUPT, SQLITE_CORRUPT | 1 << 8,
        SQLITE_NOTADB, SQLITE_PROTOCOL, SQLITE_NOLFS,
    ]
    private static let busyCodes: [Int32] = [
        SQLITE_BUSY, SQLITE_BUSY | 1 << 8, SQLITE_BUSY | 2 << 8, SQLITE_LOCKED, SQLITE_LOCKED | 1 << 8,
    ]
    private static let refusedCodes: [Int32] = [
        SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_CONSTRAINT | 6 << 8, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_TOOBIG,
        SQLITE_MISUSE, SQLITE_RANGE, SQLITE_INTERRUPT, SQLITE_NOMEM,
    ]

    @Test("an I/O error or damage is fatal: what a failed sync left on disk is not known", arguments: fatalCodes)
    func fatal(_ code: Int32) {
        let error = StorageError(resultCode: code)
        #expect(error == .failed(EngineFault(sqlite: code)))
        #expect(error.isFatal && !error.isTransient)
    }

    @Test("a lock that another holds passes", arguments: busyCodes)
    func busy(_ code: Int32) {
        #expect(StorageError(resultCode: code) == .busy)
        #expect(StorageError.busy.isTransient)
    }

    @Test("a full disk passes")
    func full() {
        #expect(StorageError(resultCode: SQLITE_FULL) == .full)
        #expect(StorageError.full.isTransient && !StorageError.full.isFatal)
    }

    @Test("a log whose index cannot grow has no room: nothing that was acknowledged is in doubt")
    func index() {
        // SQLITE_IOERR_SHMSIZE
        #expect(StorageError(resultCode: 4874) == .full)
        let error = DatabaseError(resultCode: ResultCode(rawValue: 4874))
        #expect(StorageError.translating(error) as? StorageError == .full)
    }

    @Test("any other code is a refusal, which says nothing against the file", arguments: refusedCodes)
    func refused(_ code: Int32) {
        let error = StorageError(resultCode: code)
        #expect(error == .refused(EngineFault(sqlite: code)))
        #expect(!error.isFatal)
    }

    @Test("a file that is no database or contradicts itself is damaged; of a disk that fails that is not known")
    func damage() {
        for code in [SQLITE_CORRUPT, SQLITE_CORRUPT | 2 << 8, SQLITE_NOTADB] {
            #expect(EngineFault(sqlite: code).isDamage)
        }
        for code in [SQLITE_IOERR, SQLITE_IOERR | 4 << 8, SQLITE_FULL, SQLITE_ERROR] {
            #expect(!EngineFault(sqlite: code).isDamage)
        }
    }

    @Test("an error of SQLite's is translated, without its statement and its values; any other stays itself")
    func translation() throws {
        let error = DatabaseError(
            resultCode: .SQLITE_CONSTRAINT, message: "UNIQUE failed", sql: "INSERT INTO people VALUES (?)",
            arguments: ["ana@people.example"])
        let translated = StorageError.translating(error) as? StorageError
        #expect(translated == .refused(EngineFault(sqlite: SQLITE_CONSTRAINT)))
        #expect(translated?.description == "the storage refused: constraint failed (19)")
        #expect(StorageError.translating(StorageError.unreadable) as? StorageError == .unreadable)
        #expect(StorageError.translating(CancellationError()) is CancellationError)
    }

    @Test("each description says what is wrong, in words that name no file")
    func descriptions() {
        let all: [(StorageError, String)] = [
            (.failed(EngineFault(sqlite: SQLITE_IOERR)), "disk I/O error (10)"), (.full, "full"), (.busy, "in use"),
            (.cannotCreateFile(reason: "Permission denied"), "cannot be made or opened: Permission denied"),
            (.foreignFile, "belongs to another program"),
            (.foreignCode, "has a trigger or a view, which this service never makes"),
            (
                .setting(name: "synchronous", expected: "2", found: "1"),
                "setting synchronous of the database must be 2 and is 1"
            ),
            (.newerSchema(found: 9, known: 4), "has schema version 9, this service knows versions up to 4"),
            (.unreadable, "a value that cannot be read"),
        ]
        for (error, text) in all { #expect(error.description.contains(text)) }
        #expect(Set(all.map(\.0.description)).count == all.count)
    }
}

/// A file that failed is never trusted again; one that was full is, as soon as it takes a write.
@Suite struct StorageHealthTests {
    private let health = StorageHealth()
    private let fault = EngineFault(sqlite: SQLITE_IOERR)

    @Test("a full disk is told, does not stop writes, and is over with the next commit")
    func full() throws {
        #expect(health.status == .working)
        let full = StorageError.translating(DatabaseError(resultCode: .SQLITE_FULL))
        #expect(health.note(full) as? StorageError == .full)
        #expect(health.status == .full)
        try health.requireWorking()
        health.noteCommit()
        #expect(health.status == .working)
    }

    @Test("after a failure nothing is written until a restart, not even when a later write succeeds")
    func failed() {
        _ = health.note(StorageError.failed(fault))
        #expect(health.status == .failed("disk I/O error (10)"))
        health.noteCommit()
        _ = health.note(StorageError.full)
        _ = health.note(StorageError.failed(EngineFault(sqlite: SQLITE_CORRUPT)))
        #expect(health.status == .failed("disk I/O error (10)"), "the first failure is the cause")
        #expect(throws: StorageError.failed(fault)) { try health.requireWorking() }
    }

    @Test("what is nobody's fault but the request's changes nothing")
    func harmless() throws {
        for error in [StorageError.busy, .refused(EngineFault(sqlite: SQLITE_CONSTRAINT)), .unreadable] {
            #expect(health.note(error) as? StorageError == error)
        }
        #expect(health.note(CancellationError()) is CancellationError)
        #expect(health.status == .working)
        try health.requireWorking()
    }
}
