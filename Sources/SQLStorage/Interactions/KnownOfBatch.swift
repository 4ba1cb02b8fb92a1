import Identifiers
import Interactions
import SQL

/// What storing a batch of occurrences asks of an engine that has lists: three questions, however many there are.
struct KnownOfBatch {
    /// Somebody who did something with a message.
    struct Person: Hashable {
        let message: MessageID
        let recipient: Int64
        let kind: UInt8
    }

    /// The ids that are stored already, and those that are added.
    var stored: Set<InteractionID> = []
    /// Who did this with the message for the first time. Whoever is told so is taken out.
    var firsts: Set<Person> = []
    private var recipients: [RecipientReference: (number: Int64, organization: Int64)] = [:]

    init(_ spooled: [SpooledOccurrence], _ db: any SQLConnection) throws {
        try db.statement("SELECT id FROM interactions WHERE id = ANY(?)")
            .forEach(IntegerList(spooled.map { Int64($0.id.rawValue) })) { row in
                stored.insert(try row.id(0))
                return true
            }
        let references = Set(spooled.map { Int64(bitPattern: $0.occurrence.recipient.rawValue) })
        try db.statement(
            """
            SELECT reference, number, organization FROM recipients
            WHERE reference = ANY(?) AND identifier IS NOT NULL
            """
        ).forEach(IntegerList(Array(references))) { row in
            recipients[try row.reference(0)] = (row.integer(1), row.integer(2))
            return true
        }
    }

    /// The row of a recipient who is still known; `nil` for another.
    func recipient(_ reference: RecipientReference, in organization: Int64) -> Int64? {
        guard let found = recipients[reference], found.organization == organization else { return nil }
        return found.number
    }

    /// Notes what people do, inside the write, and finds out for whom it is the first time.
    mutating func noteFirsts(of people: [Person], _ db: any SQLConnection) throws {
        let people = Array(Set(people))
        try db.statement(
            """
            INSERT INTO first_interactions (recipient, message, kind) SELECT * FROM unnest(?1, ?2, ?3)
            ON CONFLICT DO NOTHING RETURNING recipient, message, kind
            """
        ).forEach(
            IntegerList(people.map(\.recipient)), IntegerList(people.map { Int64($0.message.rawValue) }),
            IntegerList(people.map { Int64($0.kind) })
        ) { row in
            firsts.insert(
                Person(message: try row.id(1), recipient: row.integer(0), kind: UInt8(clamping: row.integer(2))))
            return true
        }
    }
}
