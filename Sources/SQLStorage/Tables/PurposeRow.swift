import Identifiers
import SQL

/// Purposes are few and stand in every key, so they are stored as numbers.
enum PurposeRow {
    /// - Returns: `nil` for a purpose that nothing was ever recorded for.
    static func find(_ purpose: Purpose, _ db: any SQLConnection) throws -> Int64? {
        try db.statement("SELECT number FROM purposes WHERE name = ?")
            .first(purpose.description) { $0.integer(0) }
    }

    static func findOrInsert(_ purpose: Purpose, _ db: any SQLConnection) throws -> Int64 {
        if let number = try find(purpose, db) { return number }
        return try db.statement("INSERT INTO purposes (name) VALUES (?) \(db.dialect.returningNumber)")
            .newNumber(purpose.description)
    }

    static func all(_ db: any SQLConnection) throws -> [Int64: Purpose] {
        let rows = try db.statement("SELECT number, name FROM purposes").all { row in
            (row.integer(0), try row.purpose(1))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
