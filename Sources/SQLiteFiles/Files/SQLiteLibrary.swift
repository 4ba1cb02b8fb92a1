import CSQLite
import GRDB
import GRDBSQLite
import SQL

/// The settings of SQLite itself, for all connections of the process.
enum SQLiteLibrary {
    // The account first: it cannot be changed once the library is in use.
    private static let isPrepared = (cl_sqlite_without_memory_account(), cl_sqlite_note_failed_calls())

    /// Must be called before a connection is opened; has no effect after the first call.
    static func prepare() { _ = isPrepared }
}

/// Why calls of SQLite to the system failed in this process, which its result codes do not always tell.
struct FailedCalls: Hashable {
    /// The `errno` of the last file that could not be opened or made; 0 if another one was opened since.
    var open: CInt = 0
    /// The `errno` of the last read that failed; 0 if none has.
    var read: CInt = 0
    /// The same for writes.
    var write: CInt = 0

    static var ofProcess: FailedCalls {
        FailedCalls(
            open: cl_sqlite_open_error(), read: cl_sqlite_read_error(), write: cl_sqlite_write_error())
    }
}

extension Database {
    /// Disables triggers and views on the connection. ``Schema/migrate(_:)`` refuses a file that has any; those that
    /// are added later have no effect.
    func ignoreForeignCode() throws {
        let code = cl_sqlite_without_code(sqliteConnection)
        guard code == SQLITE_OK else { throw StorageError(resultCode: code) }
    }
}
