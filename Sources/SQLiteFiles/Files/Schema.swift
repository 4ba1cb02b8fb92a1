package import GRDB
import GRDBSQLite
package import SQL

/// The tables of a file, as the statements that migrate each version to the next.
package struct Schema: Sendable {
    /// Distinguishes the service's files from other programs' files: "CLNK".
    static let applicationID: Int64 = 0x434C_4E4B

    /// The statements that migrate to version 1, 2, … from the version before. A released statement never changes.
    package let versions: [String]
    private let expected: ExpectedSchema

    package init(versions: [String]) {
        self.versions = versions
        expected = ExpectedSchema(versions)
    }

    /// Finds triggers and views, which would change the effect of the service's statements.
    static let foreignCode = "SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1"

    /// Migrates a file to the newest version, each step in a transaction of its own.
    ///
    /// - Throws: ``StorageError/foreignFile``, ``StorageError/newerSchema(found:known:)``,
    ///   ``StorageError/foreignCode`` or ``StorageError/foreignSchema(_:)``; the file is then left as it was.
    package func migrate(_ db: Database) throws {
        let owner = try Self.number("application_id", db)
        let found = Int(try Self.number("user_version", db))
        guard owner == Self.applicationID || (owner == 0 && found == 0) else { throw StorageError.foreignFile }
        guard found <= versions.count else {
            throw StorageError.newerSchema(found: found, known: versions.count)
        }
        let code = try db.statement(Self.foreignCode).first { $0.integer(0) }
        guard code == nil else { throw StorageError.foreignCode }
        guard let connection = db.sqliteConnection else { throw StorageError(resultCode: SQLITE_MISUSE) }
        if let difference = try difference(of: connection, owner: owner, version: found) {
            throw owner == 0 ? StorageError.foreignFile : .foreignSchema(difference)
        }
        for (version, statements) in versions.enumerated().dropFirst(found) {
            try db.inTransaction(.immediate) {
                try db.execute(sql: statements)
                try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(version + 1)")
                return .commit
            }
        }
    }

    /// Whether a file has the newest version, with the tables of that version. Changes nothing.
    ///
    /// - Throws: ``StorageError/newerSchema(found:known:)``, or ``StorageError/foreignSchema(_:)`` for a file of the
    ///   newest version with other tables and for a number that no version has.
    package func isCurrent(_ db: Database) throws -> Bool {
        let found = Int(try Self.number("user_version", db))
        guard found <= versions.count else { throw StorageError.newerSchema(found: found, known: versions.count) }
        guard found > 0 else { throw StorageError.foreignSchema(.version(found)) }
        guard found == versions.count else { return false }
        guard let connection = db.sqliteConnection else { throw StorageError(resultCode: SQLITE_MISUSE) }
        let difference = try difference(of: connection, owner: Self.applicationID, version: found)
        if let difference { throw StorageError.foreignSchema(difference) }
        return true
    }

    /// How a file differs from one of its version. Without a constraint or an index, the file would accept rows that
    /// the service relies on being refused. A missing column would cause an error only when it is used.
    ///
    /// - Parameters:
    ///   - owner: the file's `application_id`. The first step notes owner and version together.
    ///   - version: the file's `user_version`.
    /// - Returns: `nil` if it does not differ, or if it is of a later version.
    func difference(
        of connection: OpaquePointer, owner: Int64, version: Int
    ) throws(StorageError) -> SchemaDifference? {
        guard version <= versions.count else { return nil }
        guard version > 0 || (version == 0 && owner == 0) else { return .version(version) }
        return try SchemaObjects(of: connection).difference(from: expected.objects(of: version))
    }

    /// The statement that makes an object, in one line; `nil` if there is no such object in the newest version, if
    /// another version makes it otherwise, or if the statement has comments. Takes some tenths of a second.
    package func statement(making name: SchemaObjectName) -> String? {
        let made = versions.indices.map { try? expected.objects(of: $0 + 1).statements[name]?.sql }
        guard let sql = made.last ?? nil, made.allSatisfy({ $0 == nil || $0 == sql }), !sql.contains("--"),
            !sql.contains("/*")
        else { return nil }
        return sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") + ";"
    }

    private static func number(_ pragma: String, _ db: Database) throws -> Int64 {
        try db.statement("PRAGMA \(pragma)").first { $0.integer(0) } ?? 0
    }
}
