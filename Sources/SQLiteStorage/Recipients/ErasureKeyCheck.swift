import SQLiteFiles

/// Recognises the key that people were hashed with when the file was made.
///
/// With another key everybody would be a new person: withdrawals would be forgotten, and erased people would be back.
enum ErasureKeyCheck {
    /// - Throws: ``WrongErasureKey``
    static func check(_ people: RecipientHasher, _ database: SQLiteDatabase) throws {
        let hash = try people.keyCheck()
        try database.writeNow { db in
            let isKnown = try db.statement("SELECT hash = ? FROM erasure_key").first(hash) { $0.bool(0) }
            guard let isKnown else { return try db.statement("INSERT INTO erasure_key (hash) VALUES (?)").run(hash) }
            guard isKnown else { throw WrongErasureKey() }
        }
    }
}
