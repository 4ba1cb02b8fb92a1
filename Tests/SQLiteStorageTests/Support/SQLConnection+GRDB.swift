import GRDB
import SQL
import SQLiteFiles

@testable import SQLiteStorage

/// What tests ask of GRDB besides what stores need.
extension SQLConnection {
    /// GRDB's own, of a connection to a file.
    var grdb: Database {
        get throws {
            guard let connection = self as? SQLiteFileConnection else { throw StorageError.foreignFile }
            return connection.database
        }
    }

    func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try grdb.execute(sql: sql, arguments: arguments)
    }
}

extension SQLiteDatabase {
    /// Blocks the thread.
    func readNow<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try file.readers.readNow { db in try body(SQLiteFileConnection(db)) }
    }
}
