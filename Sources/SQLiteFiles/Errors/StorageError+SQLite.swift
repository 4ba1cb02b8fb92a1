import GRDB
import GRDBSQLite
import Glibc
package import SQL
import SystemPackage

extension StorageError {
    /// The meaning of an extended result code of SQLite for the caller.
    package init(resultCode: Int32) { self.init(resultCode: resultCode, .ofProcess) }

    /// - Parameter calls: the system's calls that failed before.
    init(resultCode: Int32, _ calls: FailedCalls) {
        // The index of the log could not grow. It holds nothing that must be durable, so if it lacked space, it is known
        // what is on disk.
        guard resultCode != Self.indexCannotGrow || ![ENOSPC, EDQUOT].contains(calls.write) else {
            self = .full
            return
        }
        switch resultCode & 0xFF {
        // SQLite calls a file damaged, too, of which a page cannot be read. From the first failed read on, only another
        // process can tell whether it is.
        case SQLITE_CORRUPT where calls.read != 0, SQLITE_NOTADB where calls.read != 0:
            self = .failed(EngineFault(sqlite: EngineFault.unreadablePage))
        case SQLITE_IOERR where calls.write == EFBIG && [Self.unwritten, Self.indexCannotGrow].contains(resultCode):
            self = .failed(EngineFault(fileTooLarge: resultCode))
        case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_PROTOCOL, SQLITE_NOLFS:
            self = .failed(EngineFault(sqlite: resultCode))
        case SQLITE_FULL: self = .full
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CANTOPEN where calls.open != 0:
            self = .refused(EngineFault(unopened: resultCode, because: Errno(rawValue: calls.open)))
        default: self = .refused(EngineFault(sqlite: resultCode))
        }
    }

    /// SQLITE_IOERR_SHMSIZE, which is a macro that Swift does not import.
    private static let indexCannotGrow = SQLITE_IOERR | 19 << 8
    /// SQLITE_IOERR_WRITE, which is a macro that Swift does not import.
    private static let unwritten = SQLITE_IOERR | 3 << 8

    /// The storage's own error for an error of SQLite's; any other error unchanged.
    package static func translating(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return StorageError(resultCode: error.extendedResultCode.rawValue)
    }

    /// Whether a file that is only a copy must be made anew: it is damaged, or its disk failed. Otherwise the next
    /// attempt may succeed.
    package var spoilsCopy: Bool {
        switch self {
        case .full, .busy, .readOnly, .putBack: false
        case .refused(let fault): !fault.isOfProcess
        default: true
        }
    }

    /// Whether the content of a file is at fault: it is damaged, or no file of this version. Any other error may pass,
    /// and the file may be sound, also if a page of it could not be read.
    package var isOfContent: Bool {
        switch self {
        case .failed(let fault): fault.isDamage
        case .refused(let fault): !fault.isOfProcess && !fault.isOfRights
        case .foreignFile, .foreignCode, .foreignSchema, .newerSchema, .unreadable: true
        case .full, .busy, .readOnly, .putBack, .cannotCreateFile, .setting: false
        }
    }
}

extension EngineFault {
    /// SQLite's text for the code, which is the same for every file and every statement.
    package init(sqlite code: Int32) {
        self.init(code: "\(code)", text: Self.text(of: code))
    }

    private static func text(of code: Int32) -> String {
        sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown"
    }

    /// The fault of a file that would become larger than the process or the file system allows.
    fileprivate init(fileTooLarge code: Int32) {
        self.init(
            code: "\(code)",
            text: "a file has the greatest size that the process (LimitFSIZE=, ulimit -f) or the file system allows")
    }

    /// The fault of a file that could not be opened or made.
    fileprivate init(unopened code: Int32, because error: Errno) {
        self.init(code: "\(code)", text: "\(Self.text(of: code)): \(error)")
    }

    /// Whether the process lacks memory or file descriptors, or was ending; then the error says nothing about the file.
    fileprivate var isOfProcess: Bool {
        guard let code = Int32(code) else { return false }
        return [SQLITE_NOMEM, SQLITE_CANTOPEN, SQLITE_INTERRUPT, SQLITE_MISUSE].contains(code & 0xFF)
    }

    /// Whether the file, or one beside it, may not be written to.
    fileprivate var isOfRights: Bool {
        guard let code = Int32(code) else { return false }
        return [SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH].contains(code & 0xFF)
    }

    /// SQLITE_IOERR_CORRUPTFS, which is a macro that Swift does not import.
    static let unreadablePage = SQLITE_IOERR | 33 << 8

    /// Whether a page could not be read, so that it is not known whether the file is damaged.
    package var isOfReading: Bool {
        // The others are SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ.
        [Self.unreadablePage, SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 2 << 8].contains { code == "\($0)" }
    }

    /// Whether the file is not a database or is inconsistent; otherwise the disk failed.
    package var isDamage: Bool {
        guard let code = Int32(code) else { return false }
        return [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
    }
}
