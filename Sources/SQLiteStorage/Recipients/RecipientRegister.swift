import Cryptography
import GRDB
import Identifiers

/// Finds the people of an organization and enters those it hears of for the first time. Belongs to one write.
struct RecipientRegister {
    private let organization: Int64
    private let find: PersonLookup
    private let insertRecipient: SQLStatement
    private let insertPerson: SQLStatement
    private let changePerson: SQLStatement
    private let findReference: SQLStatement
    private let writing: Writing

    init(organization: Int64, _ writing: Writing) throws {
        self.organization = organization
        self.writing = writing
        let db = writing.db
        find = try PersonLookup(db)
        insertRecipient = try db.statement(
            "INSERT INTO recipients (organization, reference, identifier) VALUES (?, ?, ?)"
        )
        insertPerson = try db.statement("INSERT INTO people (hash, recipient, is_erased) VALUES (?, ?, ?)")
        changePerson = try db.statement("UPDATE people SET recipient = ?2, is_erased = ?3 WHERE hash = ?1")
        findReference = try db.statement("SELECT reference FROM recipients WHERE number = ?")
    }

    func person(_ hash: HMACSHA256.Tag) throws -> KnownPerson? { try find(hash) }

    /// The number of the recipient a decision is about, who is entered if need be; `nil` for somebody erased.
    func recipientUnlessErased(_ recipient: RecipientID, _ hash: HMACSHA256.Tag) throws -> Int64? {
        if let known = try find(hash) { return known.recipient }
        let number = try insert(recipient)
        try insertPerson.run(hash, number, false)
        return number
    }

    /// The number of the recipient a consent record is about, who is entered if need be.
    /// - Parameter isGrant: an erased person stays erased until they grant something.
    func recipient(_ recipient: RecipientID, _ hash: HMACSHA256.Tag, isGrant: Bool) throws -> Int64 {
        guard let known = try find(hash) else {
            let number = try insert(recipient)
            try insertPerson.run(hash, number, false)
            return number
        }
        let number = try known.recipient ?? insert(recipient)
        let now = KnownPerson(recipient: number, isErased: known.isErased && !isGrant)
        if now != known { try changePerson.run(hash, number, now.isErased) }
        return number
    }

    func reference(of number: Int64) throws -> RecipientReference {
        guard let reference = try findReference.first(number, read: { try $0.reference(0) }) else {
            throw StorageError.unreadable
        }
        return reference
    }

    /// Enters what stays of somebody: their hash.
    func markErased(_ hash: HMACSHA256.Tag, known: KnownPerson?) throws {
        if known == nil {
            try insertPerson.run(hash, nil as Int64?, true)
        } else {
            try changePerson.run(hash, nil as Int64?, true)
        }
    }

    private func insert(_ recipient: RecipientID) throws -> Int64 {
        while true {
            let reference = RecipientReference(using: &writing.random)
            do throws(StorageError) {
                try insertRecipient.run(organization, reference, recipient.text)
                return writing.db.lastInsertedRowID
            } catch {
                // One in 2⁶⁴ for each pair of people: taken, so draw again.
                guard error == .refused(.notUnique) else { throw error }
            }
        }
    }
}

extension SQLiteFault {
    /// SQLITE_CONSTRAINT_UNIQUE
    static let notUnique = SQLiteFault(code: 2067)
}
