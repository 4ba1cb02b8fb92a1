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
    /// If one write has at least this many recipients, they are looked up and entered in the order of their hashes.
    ///
    /// Each is in another page of the index. A large write has more of these pages than the connection keeps in memory:
    /// in the order of a list, a page is read for the look-up, read again for the insert, and written to the log each
    /// time that another page needs its place.
    static let leastOrderedCount = 4_000

    private let organization: Int64
    private var find: RecipientLookup
    private let insertRecipient: SQLStatement
    /// For rows with a reserved number.
    private let insertReserved: RowInsert
    private let insertHash: PeopleInsert
    private let updateHash: SQLStatement
    private let findReference: SQLStatement
    private let findName: SQLStatement
    private let writing: WriteContext
    /// The references of prefetched recipients and of those who were entered since.
    private var references: [Int64: RecipientReference] = [:]
    /// Numbers for rows that are not written yet.
    private var reserved: [Int64] = []
    /// The recipient who was entered last. Of a recipient's two decisions, the second follows the first directly.
    private var lastNew: (hash: HMACSHA256.Tag, recipient: EnteredRecipient)?

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
        insertHash = try PeopleInsert(db)
        updateHash = try db.statement(
            "UPDATE people SET recipient = ?2, is_erased = ?3, is_respelled = ?4 WHERE hash = ?1"
        )
        findReference = try db.statement("SELECT reference FROM recipients WHERE number = ?")
        findName = try db.statement("SELECT identifier FROM recipients WHERE number = ?")
    }

    /// Looks up all of them, if that is cheaper than looking up each when it is entered, and reserves numbers for the
    /// new ones.
    mutating func prefetch(_ people: [NamedRecipient]) throws {
        if writing.db.dialect.hasLists {
            try prefetchByLists(people)
        } else if people.count >= Self.leastOrderedCount {
            try prefetchInOrder(people)
        } else {
            try reserveNumbers(people.count)
        }
    }

    /// Looks up all of them in the order of their hashes.
    private mutating func prefetchInOrder(_ people: [NamedRecipient]) throws {
        try find.prefetchInOrder(people.map(\.hash))
        let newCount = try people.count { try find($0.hash)?.recipient == nil }
        try reserveNumbers(newCount)
        if !reserved.isEmpty { try insertHash.beginOrder(reserving: newCount) }
    }

    /// Reserves the numbers that the engine would give to new recipients, so that their rows can be written together.
    private mutating func reserveNumbers(_ count: Int) throws {
        guard count > 1 else { return }
        let last = try writing.db.statement("SELECT max(number) FROM recipients").first { $0.optionalInteger(0) }
        // Behind a forged number there may be none: then the engine finds free ones.
        guard let first = Self.firstNumber(after: last ?? nil, count: Int64(count)) else { return }
        reserved = (first..<first + Int64(count)).reversed()
    }

    /// - Parameter last: the greatest number in use; `nil` if there is none.
    private static func firstNumber(after last: Int64?, count: Int64) -> Int64? {
        let last = max(last ?? 0, 0)
        return last < .max - count ? last + 1 : nil
    }

    /// Looks up all of them with one query for each table.
    private mutating func prefetchByLists(_ people: [NamedRecipient]) throws {
        guard people.count > 1 else { return }
        try find.prefetch(people.map(\.hash))
        let known = try people.map { try find($0.hash) }
        try writing.db.statement("SELECT number, reference FROM recipients WHERE number = ANY(?)")
            .forEach(IntegerList(known.compactMap { $0?.recipient })) { row in
                // A reference that cannot be read is looked up again by itself.
                references[row.integer(0)] = try row.ifReadable { try row.reference(1) }
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
        if let new = try enterUnlessKnown(person) { return new }
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

    /// Enters a recipient without a look-up: the insert finds out whether there is one with this hash.
    /// - Returns: `nil` for a known recipient, and if their row cannot be written at once.
    private mutating func enterUnlessKnown(_ person: NamedRecipient) throws -> EnteredRecipient? {
        if let lastNew, lastNew.hash.first64 == person.hash.first64, lastNew.hash.bytes == person.hash.bytes {
            return lastNew.recipient
        }
        guard let number = reserved.last,
            try insertHash.addUnlessThere(person.hash, number, isRespelled: person.key.isRespelled)
        else { return nil }
        let entered = EnteredRecipient(number: try insert(person.name), name: person.name)
        lastNew = (person.hash, entered)
        return entered
    }

    private mutating func enter(_ person: NamedRecipient) throws -> EnteredRecipient {
        let number = try insert(person.name)
        try insertHash.add(person.hash, number, isErased: false, isRespelled: person.key.isRespelled)
        find.add(
            KnownRecipient(recipient: number, isErased: false, isRespelled: person.key.isRespelled), person.hash)
        return EnteredRecipient(number: number, name: person.name)
    }

    /// - Throws: ``RowError/unreadableRecipient(_:)``
    func reference(of number: Int64) throws -> RecipientReference {
        // Has those of all rows that wait.
        if let reference = references[number] { return reference }
        do {
            guard let reference = try findReference.first(number, read: { try $0.reference(0) }) else {
                throw StorageError.unreadable
            }
            return reference
        } catch StorageError.unreadable {
            throw RowError.unreadableRecipient(number)
        }
    }

    /// Marks a recipient as erased; only their hash stays.
    func markErased(_ hash: HMACSHA256.Tag, known: KnownRecipient?) throws {
        if known == nil {
            try insertHash.add(hash, nil, isErased: true, isRespelled: false)
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
        // The engine numbers this row behind those that are written.
        try finish()
        while true {
            let reference = writing.makeReference()
            let number = try insertRecipient.newNumberUnlessThere(
                organization, reference, PersonalText(recipient.text))
            // Another recipient may have this reference (one in 2⁴⁸ for each other recipient of its run): draw again. A row
            // with a reserved number fails the write then, and the caller repeats it.
            if let number { return number }
        }
    }
}
