import GRDB
import Identifiers
import SQLiteFiles

/// Purposes are few and stand in every key, so they are stored as numbers.
enum PurposeRow {
    /// - Returns: `nil` for a purpose that nothing was ever recorded for.
    static func find(_ purpose: Purpose, _ db: Database) throws -> Int64? {
        try db.statement("SELECT number FROM purposes WHERE name = ?")
            .first(purpose.description) { $0.integer(0) }
    }

    static func findOrInsert(_ purpose: Purpose, _ db: Database) throws -> Int64 {
        if let number = try find(purpose, db) { return number }
        try db.statement("INSERT INTO purposes (name) VALUES (?)").run(purpose.description)
        return db.lastInsertedRowID
    }

    static func all(_ db: Database) throws -> [Int64: Purpose] {
        let rows = try db.statement("SELECT number, name FROM purposes").all { row in
            (row.integer(0), try row.purpose(1))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
