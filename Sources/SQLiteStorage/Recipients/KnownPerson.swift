import Cryptography
import GRDB
import SQLiteFiles

/// What the storage knows of somebody it was told of before.
struct KnownPerson: Hashable {
    /// The row in `recipients`; `nil` once erased, until they are heard of again.
    var recipient: Int64?
    /// Erased, and no new grant since.
    var isErased: Bool
    /// Whether the name in `recipients` is spelt otherwise than the key that the person is found by.
    var isRespelled = false
}

/// Finds people by their hash.
struct PersonLookup {
    private let statement: SQLStatement

    init(_ db: Database) throws {
        statement = try db.statement("SELECT recipient, is_erased, is_respelled FROM people WHERE hash = ?")
    }

    /// The person with `hash`; `nil` for somebody new.
    func callAsFunction(_ hash: HMACSHA256.Tag) throws -> KnownPerson? {
        try statement.first(hash) { row in
            KnownPerson(recipient: row.optionalInteger(0), isErased: row.bool(1), isRespelled: row.bool(2))
        }
    }
}
