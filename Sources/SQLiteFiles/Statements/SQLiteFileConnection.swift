package import GRDB
package import SQL

/// A connection that GRDB has opened, valid inside one of GRDB's closures.
package final class SQLiteFileConnection: SQLConnection {
    package let database: Database

    package let knownPurposes: KnownNames?

    package init(_ database: Database, knownPurposes: KnownNames? = nil) {
        self.database = database
        self.knownPurposes = knownPurposes
    }

    package var dialect: SQLDialect { SQLDialect(.sqlite) }

    package func statement(_ sql: String) throws -> SQLStatement { try database.statement(sql) }

    package func longStatement(_ sql: String) throws -> SQLStatement { try statement(sql) }

    package func rows(_ sql: String) throws -> RowInsert {
        guard let text = BoundRowsInsert.text(of: sql) else { return RowInsert(try statement(sql)) }
        return RowInsert(SQLStatement(try SQLiteRowsStatement(text, in: database)))
    }
}

extension Database {
    package func statement(_ sql: String) throws -> SQLStatement {
        SQLStatement(try SQLiteFileStatement(sql, in: self))
    }
}
