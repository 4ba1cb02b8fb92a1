import Cryptography
import SQL

/// What the storage knows of somebody it was told of before.
struct KnownRecipient: Hashable {
    /// The row in `recipients`; `nil` once erased, until they are heard of again.
    var recipient: Int64?
    /// Erased, and no new grant since.
    var isErased: Bool
    /// Whether the name in `recipients` is spelt otherwise than the key that the person is found by.
    var isRespelled = false
}

/// Finds people by their hash.
struct RecipientLookup {
    private let statement: SQLStatement

    init(_ db: any SQLConnection) throws {
        statement = try db.statement("SELECT recipient, is_erased, is_respelled FROM people WHERE hash = ?")
    }

    /// The person with `hash`; `nil` for somebody new.
    func callAsFunction(_ hash: HMACSHA256.Tag) throws -> KnownRecipient? {
        try statement.first(hash) { row in
            KnownRecipient(recipient: row.optionalInteger(0), isErased: row.bool(1), isRespelled: row.bool(2))
        }
    }
}
