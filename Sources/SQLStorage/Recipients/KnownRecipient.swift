import Cryptography
import SQL

/// What the storage knows about a recipient that it has a hash of.
struct KnownRecipient: Hashable {
    /// The row in `recipients`; `nil` after an erasure, until a new record makes a new row.
    var recipient: Int64?
    /// Whether the recipient was erased and has given no consent since.
    var isErased: Bool
    /// Whether the name in `recipients` is spelt differently from the key by which the recipient is found.
    var isRespelled = false
}

/// Finds recipients by their hash.
struct RecipientLookup {
    private let db: any SQLConnection
    private let statement: SQLStatement
    /// The answers of ``prefetch(_:)`` or ``prefetchInOrder(_:)``; a value of `nil` means that there is no such recipient.
    private var prefetched: [[UInt8]: KnownRecipient?] = [:]

    init(_ db: any SQLConnection) throws {
        self.db = db
        statement = try db.statement("SELECT recipient, is_erased, is_respelled FROM people WHERE hash = ?")
    }

    /// Looks up all of them with one query, if the engine has lists. Does not see what is written after that.
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

    /// Looks up one after the other in the order of the hashes, which reads each page of their index once. Does not see
    /// what is written after that.
    mutating func prefetchInOrder(_ hashes: [HMACSHA256.Tag]) throws {
        prefetched.reserveCapacity(hashes.count)
        for hash in hashes.sorted(by: { $0.first64 < $1.first64 }) {
            prefetched.updateValue(try statement.first(hash, read: Self.known), forKey: hash.bytes)
        }
    }

    /// Notes what was written about a recipient after the look-up of all.
    mutating func add(_ known: KnownRecipient, _ hash: HMACSHA256.Tag) {
        if !prefetched.isEmpty { prefetched[hash.bytes] = known }
    }

    /// The recipient with `hash`; `nil` for a new one.
    func callAsFunction(_ hash: HMACSHA256.Tag) throws -> KnownRecipient? {
        if !prefetched.isEmpty, let known = prefetched[hash.bytes] { return known }
        return try statement.first(hash, read: Self.known)
    }

    /// Like a call, for a check of many rows: `nil` also for a recipient that cannot be read.
    func readable(_ hash: HMACSHA256.Tag) throws -> KnownRecipient? {
        do { return try self(hash) } catch StorageError.unreadable { return nil }
    }

    private static func known(_ row: SQLRow) -> KnownRecipient {
        KnownRecipient(recipient: row.optionalInteger(0), isErased: row.bool(1), isRespelled: row.bool(2))
    }
}

extension InlineArray where Element == UInt8 {
    /// A copy.
    var bytes: [UInt8] { span.withUnsafeBytes { [UInt8]($0) } }
}
