import Identifiers
import SQL

/// Every key contains a purpose, so purposes are stored as numbers. All organizations share them, so no code reads them
/// all.
enum PurposeRow {
    /// The number comes from an index, which has a copy of each name. The name is compared with the one in the table, so
    /// that an index that was changed does not turn the records for one purpose into those for another.
    ///
    /// - Returns: `nil` for a purpose that no record was ever stored for.
    /// - Throws: `StorageError.unreadable` if the index and the table differ about the purpose.
    static func find(_ purpose: Purpose, _ db: any SQLConnection) throws -> Int64? {
        let name = purpose.description
        let found = try db.statement(
            """
            SELECT t.number, t.name FROM purposes i CROSS JOIN purposes t NOT INDEXED ON t.number = i.number
            WHERE i.name = ?
            """
        ).first(name) { (number: $0.integer(0), name: $0.text(1)) }
        if let found {
            guard found.name == name else { throw StorageError.unreadable }
            return found.number
        }
        try requireAbsent(name, db)
        return nil
    }

    /// Only on SQLite: another engine is responsible for its own indexes. Reads the whole table only if the name may be
    /// in it.
    private static func requireAbsent(_ name: String, _ db: any SQLConnection) throws {
        guard db.dialect.engine == .sqlite else { return }
        if let known = db.knownPurposes {
            try readOn(known, db)
            guard known.mayHave(name) else { return }
        }
        let isThere = try db.statement("SELECT 1 FROM purposes NOT INDEXED WHERE name = ?").first(name) { _ in true }
        if isThere == true { throw StorageError.unreadable }
    }

    /// Adds the rows that are not known yet: at first all rows, later those that this process did not insert.
    private static func readOn(_ known: KnownNames, _ db: any SQLConnection) throws {
        let next = known.next
        var (hashes, last): ([Int], Int64?) = ([], nil)
        try db.statement("SELECT number, name FROM purposes NOT INDEXED WHERE number >= ? ORDER BY number")
            .forEach(next) { row in
                hashes.append(row.text(1).hashValue)
                last = row.integer(0)
                return true
            }
        if next == .min || last != nil { known.add(hashes, through: last) }
    }

    static func findOrInsert(_ purpose: Purpose, _ db: any SQLConnection) throws -> Int64 {
        if let number = try find(purpose, db) { return number }
        let name = purpose.description
        let number = try db.statement("INSERT INTO purposes (name) VALUES (?) \(db.dialect.returningNumber)")
            .newNumber(name)
        db.knownPurposes?.add(name, number: number)
        return number
    }

    /// - Throws: `StorageError.unreadable` if there is no such purpose, or if its name is not valid.
    static func name(of number: Int64, _ db: any SQLConnection) throws -> Purpose {
        let name = try db.statement("SELECT name FROM purposes WHERE number = ?").first(number) { try $0.purpose(0) }
        guard let name else { throw StorageError.unreadable }
        return name
    }
}
