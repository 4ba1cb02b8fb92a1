import Identifiers
import SQL

/// Every key contains a purpose, so purposes are stored as numbers. All organizations share them, so no code reads them
/// all.
enum PurposeRow {
    /// - Returns: `nil` for a purpose that no record was ever stored for.
    static func find(_ purpose: Purpose, _ db: any SQLConnection) throws -> Int64? {
        try db.statement("SELECT number FROM purposes WHERE name = ?")
            .first(purpose.description) { $0.integer(0) }
    }

    static func findOrInsert(_ purpose: Purpose, _ db: any SQLConnection) throws -> Int64 {
        if let number = try find(purpose, db) { return number }
        return try db.statement("INSERT INTO purposes (name) VALUES (?) \(db.dialect.returningNumber)")
            .newNumber(purpose.description)
    }

    /// - Throws: `StorageError.unreadable` if there is no such purpose, or if its name is not valid.
    static func name(of number: Int64, _ db: any SQLConnection) throws -> Purpose {
        let name = try db.statement("SELECT name FROM purposes WHERE number = ?").first(number) { try $0.purpose(0) }
        guard let name else { throw StorageError.unreadable }
        return name
    }
}
