package import SQL

/// Recognises the key under which recipients were hashed when the database was made.
///
/// With another key every recipient would be new: withdrawals would be forgotten, and erased recipients would be back.
package enum ErasureKeyCheck {
    /// Notes the key in a database that has none yet, inside a write.
    /// - Throws: ``WrongErasureKey``
    package static func check(_ hasher: RecipientHasher, _ db: any SQLConnection) throws {
        let hash = try hasher.keyCheck()
        let isKnown = try db.statement("SELECT hash = ? FROM erasure_key").first(hash) { $0.bool(0) }
        guard let isKnown else { return try db.statement("INSERT INTO erasure_key (hash) VALUES (?)").run(hash) }
        guard isKnown else { throw WrongErasureKey() }
    }

    /// Whether a database has the note of another key. Writes nothing.
    package static func isOther(_ hasher: RecipientHasher, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT hash = ? FROM erasure_key").first(try hasher.keyCheck()) { !$0.bool(0) } ?? false
    }

    /// Writes nothing.
    /// - Throws: ``WrongErasureKey`` if a database has the note of another key.
    package static func require(_ hasher: RecipientHasher, _ db: any SQLConnection) throws {
        guard try !isOther(hasher, db) else { throw WrongErasureKey() }
    }
}
