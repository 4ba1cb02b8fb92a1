import CSQLite
import GRDB
import GRDBSQLite
import SQL

/// How SQLite itself works, for all connections of the process.
enum SQLiteLibrary {
    private static let isPrepared = cl_sqlite_without_memory_account()

    /// Must be called before a connection is opened; does nothing after the first time.
    static func prepare() { _ = isPrepared }
}

extension Database {
    /// Has the connection run no trigger of its file. ``Schema/migrate(_:)`` refuses a file that has one; what is added later
    /// does nothing.
    func ignoreForeignCode() throws {
        let code = cl_sqlite_without_code(sqliteConnection)
        guard code == SQLITE_OK else { throw StorageError(resultCode: code) }
    }
}
