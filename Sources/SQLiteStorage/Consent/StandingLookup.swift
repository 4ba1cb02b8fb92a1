import Consent
import GRDB
import Identifiers
import Ledger
import SQLiteFiles

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
    func standing(of asked: inout RecipientLookupCache.Person) throws -> ConsentStanding {
        guard let person = try find(asked.named.hash) else { return .nothing }
        asked.recipient = person.recipient
        asked.isRespelled = person.isRespelled
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

/// Says where the people behind references stand. Somebody whose records cannot be read stands as if they were erased:
/// what cannot be judged is not recorded.
struct ReferenceStandingLookup {
    private let hasher: PersonHasher
    private let findRecipient: SQLStatement
    private let findPerson: PersonLookup
    private let inForce: InForceLookup
    private let purposes: [Purpose: Int64]
    /// The records that could not be read, and whose they are.
    private(set) var unreadable: [OrganizationID: LedgerRowName] = [:]

    private struct Recipient {
        let number: Int64
        let organization: Int64
        let organizationID: String
        let comparison: RecipientComparison
        /// `nil` once erased.
        let identifier: RecipientID?
    }

    init(_ hasher: PersonHasher, _ db: Database) throws {
        self.hasher = hasher
        findRecipient = try db.statement(
            """
            SELECT r.number, r.organization, o.id, o.identifiers, r.identifier
            FROM recipients r JOIN organizations o ON o.number = r.organization WHERE r.reference = ?
            """
        )
        findPerson = try PersonLookup(db)
        inForce = try InForceLookup(db)
        purposes = Dictionary(uniqueKeysWithValues: try PurposeRow.all(db).map { ($1, $0) })
    }

    mutating func standing(_ question: ReferenceQuestion) throws -> ConsentStanding {
        do {
            guard let recipient = try recipient(question.reference) else { return .erased }
            do {
                return try standing(question, recipient)
            } catch RowError.unreadable(let row) {
                unreadable[try OrganizationID(recipient.organizationID)] = row
                return .erased
            }
        } catch StorageError.unreadable {
            // The register cannot be read, which the check of the recipients names.
            return .erased
        }
    }

    private func standing(_ question: ReferenceQuestion, _ recipient: Recipient) throws -> ConsentStanding {
        guard let identifier = recipient.identifier else {
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
        let named = try hasher.person(named: identifier, in: organization, by: recipient.comparison)
        let person = try findPerson(named.hash)
        return person?.isErased ?? true ? .erased : .nothing
    }

    private func recipient(_ reference: RecipientReference) throws -> Recipient? {
        try findRecipient.first(reference) { row in
            Recipient(
                number: row.integer(0),
                organization: row.integer(1),
                organizationID: row.text(2),
                comparison: try RecipientComparison(code: row.integer(3)),
                identifier: try row.recipient(4)
            )
        }
    }
}
