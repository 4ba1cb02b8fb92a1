import GRDB
import GRDBSQLite
import Glibc
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
        #expect(StorageError.translating(DatabaseError(resultCode: .SQLITE_FULL)) as? StorageError == .full)
        #expect(StorageError.full.isTransient && !StorageError.full.isFatal)
    }

    @Test("a log whose index cannot grow has no room: nothing that was acknowledged is in doubt")
    func index() {
        // SQLITE_IOERR_SHMSIZE
        for code in [ENOSPC, EDQUOT] {
            #expect(StorageError(resultCode: 4874, FailedCalls(write: code)) == .full)
        }
        for code in [0, EIO, EROFS] {
            let failed = StorageError.failed(EngineFault(sqlite: 4874))
            #expect(StorageError(resultCode: 4874, FailedCalls(write: code)) == failed)
        }
    }

    @Test("a file that may grow no more is named, where a write failed for it")
    func greatestSize() {
        // SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE
        for code: Int32 in [778, 4874] {
            let error = StorageError(resultCode: code, FailedCalls(write: EFBIG))
            #expect(error.isFatal && error.description.contains("ulimit -f"))
            #expect(error.description.hasSuffix("(\(code))"))
        }
        // SQLITE_IOERR_FSYNC
        #expect(StorageError(resultCode: 1034, FailedCalls(write: EFBIG)) == .failed(EngineFault(sqlite: 1034)))
        #expect(StorageError(resultCode: 778, FailedCalls(write: EIO)) == .failed(EngineFault(sqlite: 778)))
    }

    @Test("SQLite's word for damage counts only while every page could be read")
    func unreadPage() {
        for code in [SQLITE_CORRUPT, SQLITE_CORRUPT | 1 << 8, SQLITE_NOTADB] {
            guard case .failed(let fault) = StorageError(resultCode: code, FailedCalls(read: EIO)) else {
                Issue.record("\(code) is not fatal")
                continue
            }
            #expect(fault.isOfReading && !fault.isDamage)
            #expect(StorageError(resultCode: code, FailedCalls(write: EIO)) == .failed(EngineFault(sqlite: code)))
        }
        // SQLITE_IOERR_READ
        #expect(EngineFault(sqlite: 266).isOfReading)
        #expect(!EngineFault(sqlite: SQLITE_IOERR | 4 << 8).isOfReading)
    }

    @Test("any other code is a refusal, which says nothing against the file", arguments: refusedCodes)
    func refused(_ code: Int32) {
        let error = StorageError(resultCode: code, FailedCalls())
        #expect(error == .refused(EngineFault(sqlite: code)))
        #expect(!error.isFatal)
    }

    @Test(
        "a file that cannot be opened or made is refused with the system's reason",
        arguments: [ENOSPC, EMFILE, EACCES])
    func unopened(_ reason: CInt) {
        let error = StorageError(resultCode: SQLITE_CANTOPEN, FailedCalls(open: reason))
        let text = String(cString: strerror(reason))
        #expect(error.description.hasSuffix("unable to open database file: \(text) (14)"))
        #expect(!error.isFatal && !error.spoilsCopy)
        #expect(StorageError(resultCode: SQLITE_ERROR, FailedCalls(open: reason)) == .refused(EngineFault(sqlite: 1)))
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

    @Test(
        "a lack of room, rights, descriptors or memory, a lock and a page that cannot be read say nothing about a file",
        arguments: [
            .full, .busy, .readOnly, .putBack, .cannotCreateFile(reason: "Too many open files"),
            StorageError(resultCode: SQLITE_CANTOPEN, FailedCalls(open: EMFILE)),
            StorageError(resultCode: SQLITE_NOMEM, FailedCalls()),
            StorageError(resultCode: SQLITE_READONLY, FailedCalls()),
            StorageError(resultCode: SQLITE_IOERR | 1 << 8, FailedCalls(read: EIO)),
            StorageError(resultCode: SQLITE_CORRUPT, FailedCalls(read: EIO)),
        ] as [StorageError])
    func passing(_ error: StorageError) {
        #expect(!error.isOfContent)
    }

    @Test(
        "damage, another program's file, another schema and a later version are faults of a file's content",
        arguments: [
            .foreignFile, .foreignCode, .foreignSchema(.version(-1)), .newerSchema(found: 9, known: 2), .unreadable,
            StorageError(resultCode: SQLITE_CORRUPT, FailedCalls()),
            StorageError(resultCode: SQLITE_NOTADB, FailedCalls()),
            StorageError(resultCode: SQLITE_CONSTRAINT, FailedCalls()),
        ] as [StorageError])
    func content(_ error: StorageError) {
        #expect(error.isOfContent)
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
}
