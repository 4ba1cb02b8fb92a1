import Consent
import Cryptography
import GRDB
import Identifiers

/// Says where people of one organization stand with regard to one purpose at one moment.
struct StandingLookup {
    private let organization: Int64
    /// `nil` when nothing was ever recorded for it.
    private let purpose: Int64?
    private let moment: Timestamp
    private let find: PersonLookup
    private let findReference: SQLStatement
    private let inForce: InForceLookup

    init(organization: Int64, purpose: Purpose, moment: Timestamp, _ db: Database) throws {
        self.organization = organization
        self.purpose = try PurposeRow.find(purpose, db)
        self.moment = moment
        find = try PersonLookup(db)
        findReference = try db.statement("SELECT reference FROM recipients WHERE number = ?")
        inForce = try InForceLookup(db)
    }

    /// - Parameter asked: is told what of the person a decision needs besides.
    func standing(_ hash: HMACSHA256.Tag, _ asked: inout AskedPeople.Person) throws -> ConsentStanding {
        guard let person = try find(hash) else { return .nothing }
        asked.recipient = person.recipient
        if let recipient = person.recipient, let purpose,
            let record = try inForce(organization: organization, recipient: recipient, purpose: purpose, at: moment)
        {
            if !record.state.endsTracking {
                asked.reference = try findReference.first(recipient) { try $0.reference(0) }
            }
            return .inForce(record)
        }
        return person.isErased ? .erased : .nothing
    }
}

/// Says where the people behind references stand.
struct ReferenceStandingLookup {
    private let people: PersonHasher
    private let findRecipient: SQLStatement
    private let findPerson: PersonLookup
    private let inForce: InForceLookup
    private let purposes: [Purpose: Int64]

    private struct Recipient {
        let number: Int64
        let organization: Int64
        let organizationID: String
        /// `nil` once erased.
        let identifier: RecipientID?
    }

    init(_ people: PersonHasher, _ db: Database) throws {
        self.people = people
        findRecipient = try db.statement(
            """
            SELECT r.number, r.organization, o.id, r.identifier
            FROM recipients r JOIN organizations o ON o.number = r.organization WHERE r.reference = ?
            """
        )
        findPerson = try PersonLookup(db)
        inForce = try InForceLookup(db)
        purposes = Dictionary(uniqueKeysWithValues: try PurposeRow.all(db).map { ($1, $0) })
    }

    func standing(_ question: ReferenceQuestion) throws -> ConsentStanding {
        guard let recipient = try recipient(question.reference), let identifier = recipient.identifier else {
            return .erased
        }
        if let purpose = purposes[question.purpose],
            let record = try inForce(
                organization: recipient.organization,
                recipient: recipient.number,
                purpose: purpose,
                at: question.moment
            )
        {
            return .inForce(record)
        }
        let organization = try OrganizationID(recipient.organizationID)
        let person = try findPerson(people.hash(of: identifier, in: organization))
        return person?.isErased ?? true ? .erased : .nothing
    }

    private func recipient(_ reference: RecipientReference) throws -> Recipient? {
        try findRecipient.first(reference) { row in
            Recipient(
                number: row.integer(0),
                organization: row.integer(1),
                organizationID: row.text(2),
                identifier: try row.recipient(3)
            )
        }
    }
}
