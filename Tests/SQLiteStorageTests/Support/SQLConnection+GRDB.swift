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

    /// How SQLite does each of the statements that `body` runs: the steps of its plan.
    func plans(of body: () throws -> Void) throws -> [(sql: String, steps: [String])] {
        var statements: Set<String> = []
        try grdb.trace { if case .statement(let statement) = $0 { statements.insert(statement.sql) } }
        try body()
        try grdb.trace()
        return try statements.map { sql in
            let plan = try grdb.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
            plan.setUncheckedArguments(StatementArguments())
            return (sql, try Row.fetchAll(plan).map { $0["detail"] as String })
        }
    }
}

extension SQLiteDatabase {
    /// Blocks the thread.
    func readNow<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try file.readers.readNow { db in try body(SQLiteFileConnection(db)) }
    }
}
