import Consent
import Cryptography
import GRDB
import Identifiers

/// One append of consent records, inside its write.
struct ConsentAppend {
    /// A person and a purpose that the append touches.
    private struct Subject: Hashable {
        let recipient: Int64
        let purpose: Int64
    }

    private(set) var records: [ConsentRecord] = []

    private let writing: Writing
    private let now: Timestamp
    private let organization: Int64
    private let register: RecipientRegister
    private var purposes: [Purpose: Int64] = [:]
    private var touched: [Subject] = []
    private var touchedPurposes: [Subject: Purpose] = [:]

    init(organization: OrganizationID, now: Timestamp, _ writing: Writing) throws {
        self.writing = writing
        self.now = now
        self.organization = try OrganizationRow.require(organization, writing.db).number
        register = try RecipientRegister(organization: self.organization, writing)
    }

    mutating func add(_ new: NewConsentRecord, _ hash: HMACSHA256.Tag) throws {
        let purpose = try number(of: new.purpose)
        let recipient = try register.recipient(new.recipient, hash, isGrant: new.state == .given)
        let record = ConsentRecord(
            id: writing.makeID(.consents, at: now),
            purpose: new.purpose,
            state: new.state,
            occurredAt: new.occurredAt,
            recordedAt: now,
            validUntil: new.validUntil,
            evidence: new.evidence
        )
        try record.insert(organization: organization, recipient: recipient, purpose: purpose, writing.db)
        records.append(record)

        let subject = Subject(recipient: recipient, purpose: purpose)
        if touchedPurposes.updateValue(new.purpose, forKey: subject) == nil { touched.append(subject) }
    }

    /// Where everybody who was touched stands now, after all of the records.
    func changes() throws -> [ConsentChange] {
        let inForce = try InForceLookup(writing.db)
        return try touched.compactMap { subject in
            guard let purpose = touchedPurposes[subject] else { return nil }
            let record = try inForce(
                organization: organization,
                recipient: subject.recipient,
                purpose: subject.purpose,
                at: now
            )
            return ConsentChange(
                reference: try register.reference(of: subject.recipient),
                purpose: purpose,
                standing: record.map(ConsentStanding.inForce) ?? .nothing
            )
        }
    }

    private mutating func number(of purpose: Purpose) throws -> Int64 {
        if let number = purposes[purpose] { return number }
        let number = try PurposeRow.findOrInsert(purpose, writing.db)
        purposes[purpose] = number
        return number
    }
}
