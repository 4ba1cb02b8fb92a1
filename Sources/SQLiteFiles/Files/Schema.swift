package import GRDB
import SQL

/// The tables of a file, as the statements that migrate each version to the next.
package struct Schema: Sendable {
    /// Distinguishes the service's files from other programs' files: "CLNK".
    static let applicationID: Int64 = 0x434C_4E4B

    /// The statements that migrate to version 1, 2, … from the version before. A released statement never changes.
    package let versions: [String]

    package init(versions: [String]) { self.versions = versions }

    /// Finds triggers and views, which would change the effect of the service's statements.
    static let foreignCode = "SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1"

    /// Migrates a file to the newest version, each step in a transaction of its own.
    ///
    /// - Throws: ``StorageError/foreignFile``, ``StorageError/newerSchema(found:known:)`` or
    ///   ``StorageError/foreignCode``; the file is then left as it was.
    package func migrate(_ db: Database) throws {
        let owner = try Self.number("application_id", db)
        let found = Int(try Self.number("user_version", db))
        guard owner == Self.applicationID || (owner == 0 && found == 0) else { throw StorageError.foreignFile }
        guard found <= versions.count else {
            throw StorageError.newerSchema(found: found, known: versions.count)
        }
        let code = try db.statement(Self.foreignCode).first { $0.integer(0) }
        guard code == nil else { throw StorageError.foreignCode }
        for (version, statements) in versions.enumerated().dropFirst(found) {
            try db.inTransaction(.immediate) {
                try db.execute(sql: statements)
                try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(version + 1)")
                return .commit
            }
        }
    }

    private static func number(_ pragma: String, _ db: Database) throws -> Int64 {
        try db.statement("PRAGMA \(pragma)").first { $0.integer(0) } ?? 0
    }
}
