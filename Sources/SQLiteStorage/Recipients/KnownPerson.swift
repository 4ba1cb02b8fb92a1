import Cryptography
import GRDB

/// What the storage knows of somebody it was told of before.
struct KnownPerson: Hashable {
    /// The row in `recipients`; `nil` once erased, until they are heard of again.
    var recipient: Int64?
    /// Erased, and no new grant since.
    var isErased: Bool
}

/// Finds people by their hash.
struct PersonLookup {
    private let statement: SQLStatement

    init(_ db: Database) throws {
        statement = try db.statement("SELECT recipient, is_erased FROM people WHERE hash = ?")
    }

    /// The person with `hash`; `nil` for somebody new.
    func callAsFunction(_ hash: HMACSHA256.Tag) throws -> KnownPerson? {
        try statement.first(hash) { KnownPerson(recipient: $0.optionalInteger(0), isErased: $0.bool(1)) }
    }
}
