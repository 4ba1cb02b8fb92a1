import Cryptography
import Identifiers
import SQL

/// Somebody who is entered: their row, and the name in it, which is the one that they were first given by.
struct EnteredRecipient {
    let number: Int64
    let name: RecipientID
}

/// Finds the people of an organization and enters those it hears of for the first time. Belongs to one write, in which
/// ``finish()`` must be called when all are entered.
struct RecipientTable {
    private let organization: Int64
    private var find: RecipientLookup
    private let insertRecipient: SQLStatement
    /// For a number that was reserved.
    private let insertReserved: RowInsert
    private let insertHash: RowInsert
    private let updateHash: SQLStatement
    private let findReference: SQLStatement
    private let findName: SQLStatement
    private let writing: WriteContext
    /// Of those who were asked for all at once, and of those who were entered since.
    private var references: [Int64: RecipientReference] = [:]
    /// Numbers for rows that are not there yet.
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
        // Where people are not looked up at once, the next one is looked up among them.
        let person = "INSERT INTO people (hash, recipient, is_erased, is_respelled) VALUES (?, ?, ?, ?)"
        insertHash = db.dialect.hasLists ? try db.rows(person) : RowInsert(try db.statement(person))
        updateHash = try db.statement(
            "UPDATE people SET recipient = ?2, is_erased = ?3, is_respelled = ?4 WHERE hash = ?1"
        )
        findReference = try db.statement("SELECT reference FROM recipients WHERE number = ?")
        findName = try db.statement("SELECT identifier FROM recipients WHERE number = ?")
    }

    /// Asks for all of them at once, where the engine has lists, and for numbers for those who are new.
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

    /// Everybody who was entered has a row from then on.
    func finish() throws {
        try insertReserved.finish()
        try insertHash.finish()
    }

    func person(_ hash: HMACSHA256.Tag) throws -> KnownRecipient? { try find(hash) }

    /// The recipient a decision is about, who is entered if need be; `nil` for somebody erased.
    mutating func recipientUnlessErased(_ person: NamedRecipient) throws -> EnteredRecipient? {
        guard let known = try find(person.hash) else { return try enter(person) }
        return try known.recipient.map { try entered($0, person, isRespelled: known.isRespelled) }
    }

    /// The recipient a consent record is about, who is entered if need be.
    /// - Parameter endsErasure: an erased person stays erased until a record does.
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
            find.note(
                KnownRecipient(recipient: now.number, isErased: isErased, isRespelled: isRespelled), person.hash)
        }
        return now
    }

    /// The recipient in the row `number`.
    /// - Parameter isRespelled: whether the name there is not the key's text, so that it must be read.
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
        find.note(
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

    /// Enters what stays of somebody: their hash.
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
            let reference = RecipientReference(using: &writing.random)
            try insertReserved.add(number, organization, reference, PersonalText(recipient.text))
            references[number] = reference
            return number
        }
        while true {
            let reference = RecipientReference(using: &writing.random)
            let number = try insertRecipient.newNumberUnlessThere(
                organization, reference, PersonalText(recipient.text))
            // Another person may have this reference (one in 2⁶⁴ for each pair of people): draw again.
            if let number { return number }
        }
    }
}
