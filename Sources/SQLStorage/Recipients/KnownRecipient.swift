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
    private let db: any SQLConnection
    private let statement: SQLStatement
    /// What was asked for all at once; `nil` for nobody.
    private var prefetched: [[UInt8]: KnownRecipient?] = [:]

    init(_ db: any SQLConnection) throws {
        self.db = db
        statement = try db.statement("SELECT recipient, is_erased, is_respelled FROM people WHERE hash = ?")
    }

    /// Asks for all of them at once, where the engine has lists. What is written after it is not seen.
    mutating func prefetch(_ hashes: [HMACSHA256.Tag]) throws {
        guard db.dialect.hasLists, hashes.count > 1 else { return }
        let keys = hashes.map { $0.bytes }
        for key in keys { prefetched[key] = .some(nil) }
        try db.statement("SELECT recipient, is_erased, is_respelled, hash FROM people WHERE hash = ANY(?)")
            .forEach(ByteStringList(keys)) { row in
                prefetched[row.bytes(3)] = Self.known(row)
                return true
            }
    }

    /// What was written about somebody who was prefetched.
    mutating func note(_ known: KnownRecipient, _ hash: HMACSHA256.Tag) {
        if !prefetched.isEmpty { prefetched[hash.bytes] = known }
    }

    /// The person with `hash`; `nil` for somebody new.
    func callAsFunction(_ hash: HMACSHA256.Tag) throws -> KnownRecipient? {
        if !prefetched.isEmpty, let known = prefetched[hash.bytes] { return known }
        return try statement.first(hash, read: Self.known)
    }

    private static func known(_ row: SQLRow) -> KnownRecipient {
        KnownRecipient(recipient: row.optionalInteger(0), isErased: row.bool(1), isRespelled: row.bool(2))
    }
}

extension InlineArray where Element == UInt8 {
    /// A copy.
    var bytes: [UInt8] { span.withUnsafeBytes { [UInt8]($0) } }
}
