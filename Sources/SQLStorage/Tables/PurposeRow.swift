import Identifiers
import SQL

/// Purposes stand in every key, so they are stored as numbers. All organizations share them, so nobody reads them all.
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

    /// - Throws: `StorageError.unreadable` where there is no such purpose, or its name is none.
    static func name(of number: Int64, _ db: any SQLConnection) throws -> Purpose {
        let name = try db.statement("SELECT name FROM purposes WHERE number = ?").first(number) { try $0.purpose(0) }
        guard let name else { throw StorageError.unreadable }
        return name
    }
}
