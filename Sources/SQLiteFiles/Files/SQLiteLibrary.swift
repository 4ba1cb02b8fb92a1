import CSQLite
import GRDB
import GRDBSQLite
import SQL

/// The settings of SQLite itself, for all connections of the process.
enum SQLiteLibrary {
    private static let isPrepared = cl_sqlite_without_memory_account()

    /// Must be called before a connection is opened; has no effect after the first call.
    static func prepare() { _ = isPrepared }
}

extension Database {
    /// Disables triggers and views on the connection. ``Schema/migrate(_:)`` refuses a file that has any; those that
    /// are added later have no effect.
    func ignoreForeignCode() throws {
        let code = cl_sqlite_without_code(sqliteConnection)
        guard code == SQLITE_OK else { throw StorageError(resultCode: code) }
    }
}
