import Cryptography
import Identifiers
import SQL

/// A recipient who has a row, and the name in it, which is the spelling under which they were first given.
struct EnteredRecipient {
    let number: Int64
    let name: RecipientID
}

/// Finds the recipients of an organization and enters new ones. Belongs to one write, in which ``finish()`` must be
/// called after the last one.
struct RecipientTable {
    private let organization: Int64
    private var find: RecipientLookup
    private let insertRecipient: SQLStatement
    /// For rows with a reserved number.
    private let insertReserved: RowInsert
    private let insertHash: RowInsert
    private let updateHash: SQLStatement
    private let findReference: SQLStatement
    private let findName: SQLStatement
    private let writing: WriteContext
    /// The references of prefetched recipients and of those who were entered since.
    private var references: [Int64: RecipientReference] = [:]
    /// Numbers for rows that are not written yet.
    private var reserved: [Int64] = []

    init(organization: Int64, _ writing: WriteContext) throws {
        self.organization = organization
        self.writing = writing
        let db = writing.db
        find = try RecipientLookup(db)
        insertRecipient = try db.statement(
            """
            INSERT INTO recipients (organization, reference, identifier) VALUES (?, ?, ?)
            ON CONFLICT (reference) DO NOTHING \(db.dialect.returningNumber)
            """
        )
        insertReserved = try db.rows(
            "INSERT INTO recipients (number, organization, reference, identifier) VALUES (?, ?, ?, ?)"
        )
        // Without lists, each row is written at once, because the look-up of the next recipient must find it.
        let person = "INSERT INTO people (hash, recipient, is_erased, is_respelled) VALUES (?, ?, ?, ?)"
        insertHash = db.dialect.hasLists ? try db.rows(person) : RowInsert(try db.statement(person))
        updateHash = try db.statement(
            "UPDATE people SET recipient = ?2, is_erased = ?3, is_respelled = ?4 WHERE hash = ?1"
        )
        findReference = try db.statement("SELECT reference FROM recipients WHERE number = ?")
        findName = try db.statement("SELECT identifier FROM recipients WHERE number = ?")
    }

    /// Looks up all of them with one query for each table, if the engine has lists, and reserves numbers for the new
    /// ones.
    mutating func prefetch(_ people: [NamedRecipient]) throws {
        guard writing.db.dialect.hasLists, people.count > 1 else { return }
        try find.prefetch(people.map(\.hash))
        let known = try people.map { try find($0.hash) }
        try writing.db.statement("SELECT number, reference FROM recipients WHERE number = ANY(?)")
            .forEach(IntegerList(known.compactMap { $0?.recipient })) { row in
                references[row.integer(0)] = try row.reference(1)
                return true
            }
        let isNew = known.count { $0?.recipient == nil }
        guard isNew > 1, let reserve = writing.db.dialect.reserveNumbers(of: "recipients") else { return }
        reserved = try writing.db.statement(reserve).all(isNew) { $0.integer(0) }.reversed()
    }

    /// After this, every entered recipient has a row.
    func finish() throws {
        try insertReserved.finish()
        try insertHash.finish()
    }

    func person(_ hash: HMACSHA256.Tag) throws -> KnownRecipient? { try find(hash) }

    /// The recipient of a decision, who is entered if they are new; `nil` for an erased recipient.
    mutating func recipientUnlessErased(_ person: NamedRecipient) throws -> EnteredRecipient? {
        guard let known = try find(person.hash) else { return try enter(person) }
        return try known.recipient.map { try entered($0, person, isRespelled: known.isRespelled) }
    }

    /// The recipient of a consent record, who is entered if they are new.
    /// - Parameter endsErasure: whether the record ends an erasure; otherwise an erased recipient stays erased.
    mutating func recipient(_ person: NamedRecipient, endsErasure: Bool) throws -> EnteredRecipient {
        guard let known = try find(person.hash) else { return try enter(person) }
        let now: EnteredRecipient
        if let recipient = known.recipient {
            now = try entered(recipient, person, isRespelled: known.isRespelled)
        } else {
            now = EnteredRecipient(number: try insert(person.name), name: person.name)
        }
        let isErased = known.isErased && !endsErasure
        if known.recipient == nil || isErased != known.isErased {
            let isRespelled = known.recipient == nil ? person.key.isRespelled : known.isRespelled
            try finish()
            try updateHash.run(person.hash, now.number, isErased, isRespelled)
            find.add(
                KnownRecipient(recipient: now.number, isErased: isErased, isRespelled: isRespelled), person.hash)
        }
        return now
    }

    /// The recipient in the row `number`.
    /// - Parameter isRespelled: whether the name there differs from the key's text, so that it must be read.
    func entered(_ number: Int64, _ person: NamedRecipient, isRespelled: Bool) throws -> EnteredRecipient {
        if isRespelled {
            try finish()
            guard let name = try findName.first(number, read: { try $0.recipient(0) }) ?? nil else {
                throw StorageError.unreadable
            }
            return EnteredRecipient(number: number, name: name)
        }
        let name = person.key.isRespelled ? try RecipientID(person.key.text) : person.name
        return EnteredRecipient(number: number, name: name)
    }

    private mutating func enter(_ person: NamedRecipient) throws -> EnteredRecipient {
        let number = try insert(person.name)
        try insertHash.add(person.hash, number, false, person.key.isRespelled)
        find.add(
            KnownRecipient(recipient: number, isErased: false, isRespelled: person.key.isRespelled), person.hash)
        return EnteredRecipient(number: number, name: person.name)
    }

    func reference(of number: Int64) throws -> RecipientReference {
        if let reference = references[number] { return reference }
        try finish()
        guard let reference = try findReference.first(number, read: { try $0.reference(0) }) else {
            throw StorageError.unreadable
        }
        return reference
    }

    /// Marks a recipient as erased; only their hash stays.
    func markErased(_ hash: HMACSHA256.Tag, known: KnownRecipient?) throws {
        if known == nil {
            try insertHash.add(hash, nil as Int64?, true, false)
            try finish()
        } else {
            try updateHash.run(hash, nil as Int64?, true, false)
        }
    }

    private mutating func insert(_ recipient: RecipientID) throws -> Int64 {
        if let number = reserved.popLast() {
            let reference = writing.makeReference()
            try insertReserved.add(number, organization, reference, PersonalText(recipient.text))
            references[number] = reference
            return number
        }
        while true {
            let reference = writing.makeReference()
            let number = try insertRecipient.newNumberUnlessThere(
                organization, reference, PersonalText(recipient.text))
            // Another recipient may have this reference (one in 2⁴⁸ for each other recipient of its run): draw again.
            if let number { return number }
        }
    }
}
