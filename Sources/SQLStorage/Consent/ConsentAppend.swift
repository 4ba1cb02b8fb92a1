import Consent
import Identifiers
import Ledger
import SQL

/// One append of consent records, inside its write.
struct ConsentAppend {
    /// A recipient and a purpose that the append touches.
    private struct Subject: Hashable {
        let recipient: Int64
        let purpose: Int64
    }

    private(set) var records: [ConsentRecord] = []

    private let writing: WriteContext
    private let now: Timestamp
    private let organization: Int64
    private var recipients: RecipientTable
    private var purposes: [Purpose: Int64] = [:]
    private let insert: RowInsert
    private var counting: ConsentCounting
    /// The values that are stored with each of `records` at the end, after the records are counted.
    private var rows: [(recipient: Int64, purpose: Int64, salt: Salt)] = []
    private var ledger: LedgerAppend
    private var repeated: RepeatedGrants
    /// In the order in which they were first touched, each once.
    private var touched: [(subject: Subject, purpose: Purpose)] = []
    private var touchedSubjects: Set<Subject> = []

    init(
        organization: OrganizationID, now: Timestamp, _ hasher: RecipientHasher, _ writing: WriteContext
    ) throws {
        self.writing = writing
        self.now = now
        let row = try OrganizationRow.require(organization, writing.db)
        self.organization = row.number
        ledger = try LedgerAppend(row, named: organization, at: now, writing)
        recipients = try RecipientTable(organization: self.organization, writing)
        insert = try ConsentRecordRow.insert(writing.db)
        counting = ConsentCounting(organization: self.organization, writing.db)
        repeated = try RepeatedGrants(hasher, at: now, writing)
    }

    /// Reserves memory for `new`, and looks up what is known about the recipients, with few queries if the engine can.
    mutating func prefetch(_ new: [NewConsentRecord], about people: [NamedRecipient]) throws {
        records.reserveCapacity(people.count)
        rows.reserveCapacity(people.count)
        touched.reserveCapacity(people.count)
        touchedSubjects.reserveCapacity(people.count)
        try recipients.prefetch(people)
        try repeated.prefetch(new, about: people)
    }

    mutating func add(_ new: NewConsentRecord, about person: NamedRecipient) throws {
        let purpose = try number(of: new.purpose)
        let mark = try repeated.mark(of: new, about: person)
        let first = try mark.flatMap { try repeated.time(ofFirstUnder: $0) }
        let recipient = try recipients.recipient(person, endsErasure: new.endsErasure(recordedAt: now))
        let record = ConsentRecord(
            id: writing.makeID(.consents, at: now),
            purpose: new.purpose,
            state: new.state,
            occurredAt: first ?? new.occurredAt(recordedAt: now),
            recordedAt: now,
            validUntil: new.validUntil,
            evidence: new.evidence
        )
        if let mark, first == nil { try repeated.enter(record, claimed: new.claimedAt, under: mark) }
        let salt = Salt(using: &writing.random)
        rows.append((recipient.number, purpose, salt))
        counting.add(record, about: recipient.number, for: purpose)
        try ledger.add(record, about: recipient.name, salt: salt)
        records.append(record)

        let subject = Subject(recipient: recipient.number, purpose: purpose)
        if touchedSubjects.insert(subject).inserted { touched.append((subject, new.purpose)) }
    }

    /// Stores all of the records, and enters them into the ledger.
    mutating func finish() throws {
        try recipients.finish()
        try counting.finish()
        for (record, row) in zip(records, rows) {
            try record.insert(
                organization: organization, recipient: row.recipient, purpose: row.purpose, salt: row.salt,
                with: insert)
        }
        try insert.finish()
        try ledger.finish()
    }

    /// The present status of every touched recipient, after all of the records.
    func changes() throws -> [ConsentChange] {
        var inForce = try InForceLookup(writing.db)
        try inForce.prefetch(
            touched.map { subject, _ in
                InForceLookup.Question(
                    organization: organization, recipient: subject.recipient, purpose: subject.purpose, instant: now)
            })
        return try touched.map { subject, purpose in
            let record = try inForce(
                organization: organization,
                recipient: subject.recipient,
                purpose: subject.purpose,
                at: now
            )
            return ConsentChange(
                reference: try recipients.reference(of: subject.recipient),
                purpose: purpose,
                status: record.map(ConsentStatus.inForce) ?? .nothing
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
