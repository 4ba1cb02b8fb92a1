import Consent
import Identifiers
import Ledger
import SQL

/// The status of recipients of one organization with regard to some purposes at one time.
struct StatusLookup {
    private let organization: Int64
    /// `nil` for one that nothing was ever recorded for.
    private let purposes: [Int64?]
    private let instant: Timestamp
    private let db: any SQLConnection
    private var find: RecipientLookup
    private let findReference: SQLStatement
    private var inForce: InForceLookup
    /// Of those who were asked for all at once.
    private var references: [Int64: RecipientReference] = [:]

    init(organization: Int64, purposes: [Purpose], instant: Timestamp, _ db: any SQLConnection) throws {
        self.organization = organization
        self.purposes = try purposes.map { try PurposeRow.find($0, db) }
        self.instant = instant
        self.db = db
        find = try RecipientLookup(db)
        findReference = try db.statement("SELECT reference FROM recipients WHERE number = ?")
        inForce = try InForceLookup(db)
    }

    /// Asks for all of them at once, where the engine has lists.
    mutating func prefetch(_ people: [RecipientLookupCache.Person]) throws {
        guard db.dialect.hasLists, people.count > 1 else { return }
        try find.prefetch(people.map(\.named.hash))
        let recipients = try people.compactMap { try find($0.named.hash)?.recipient }
        try inForce.prefetch(
            recipients.flatMap { recipient in
                purposes.compactMap { $0 }.map { purpose in
                    InForceLookup.Question(
                        organization: organization, recipient: recipient, purpose: purpose, instant: instant)
                }
            })
        try db.statement("SELECT number, reference FROM recipients WHERE number = ANY(?)")
            .forEach(IntegerList(recipients)) { row in
                references[row.integer(0)] = try row.reference(1)
                return true
            }
    }

    /// Appends the status of a person for each purpose.
    /// - Parameter asked: is told what else a decision needs to know about the person.
    func appendStatuses(
        of asked: inout RecipientLookupCache.Person, to statuses: inout [ConsentStatus]
    ) throws {
        guard let known = try find(asked.named.hash) else {
            for _ in purposes { statuses.append(.nothing) }
            return
        }
        asked.recipient = known.recipient
        asked.isRespelled = known.isRespelled
        for purpose in purposes {
            guard let recipient = known.recipient, let purpose,
                let record = try inForce(
                    organization: organization, recipient: recipient, purpose: purpose, at: instant)
            else {
                statuses.append(known.isErased ? .erased : .nothing)
                continue
            }
            if !record.state.endsTracking, asked.reference == nil {
                asked.reference =
                    try references[recipient] ?? findReference.first(recipient) { try $0.reference(0) }
            }
            statuses.append(.inForce(record))
        }
    }

    /// The status of a person for the first of the purposes, as ``appendStatuses(of:to:)`` finds it.
    func status(of asked: inout RecipientLookupCache.Person) throws -> ConsentStatus {
        var statuses: [ConsentStatus] = []
        try appendStatuses(of: &asked, to: &statuses)
        return statuses[0]
    }
}

/// The status of the recipients behind references. A recipient whose records cannot be read counts as erased: what
/// cannot be judged is not recorded.
struct ReferenceStatusLookup {
    private let hasher: RecipientHasher
    private let db: any SQLConnection
    private let findRecipient: SQLStatement
    private var find: RecipientLookup
    private var inForce: InForceLookup
    /// Those who were asked for all at once; `nil` for nobody.
    private var prefetched: [RecipientReference: Recipient?] = [:]
    private let purposes: [Purpose: Int64]
    /// The recipients that were found and are not erased.
    private(set) var found: [RecipientReference: FoundReferences.Recipient] = [:]
    /// The records that could not be read, and whose they are.
    private(set) var unreadable: [OrganizationID: LedgerRowName] = [:]

    private struct Recipient {
        let number: Int64
        let organization: Int64
        let organizationID: String
        let comparison: RecipientComparison
        let erasures: Int64
        /// `nil` once erased.
        let identifier: RecipientID?
    }

    init(_ hasher: RecipientHasher, _ db: any SQLConnection) throws {
        self.hasher = hasher
        self.db = db
        findRecipient = try db.statement("\(Self.recipients) WHERE r.reference = ?")
        find = try RecipientLookup(db)
        inForce = try InForceLookup(db)
        purposes = Dictionary(uniqueKeysWithValues: try PurposeRow.all(db).map { ($1, $0) })
    }

    private static let recipients = """
        SELECT r.number, r.organization, o.id, o.identifiers, r.identifier, r.reference, o.erasures
        FROM recipients r JOIN organizations o ON o.number = r.organization
        """

    /// Looks all of them up at once, where the engine can. What cannot be read is left for the questions themselves.
    mutating func prefetch(_ questions: [ReferenceQuestion]) throws {
        guard db.dialect.hasLists, questions.count > 1 else { return }
        let references = Set(questions.map(\.reference))
        for reference in references { prefetched[reference] = .some(nil) }
        try db.statement("\(Self.recipients) WHERE r.reference = ANY(?)")
            .forEach(IntegerList(references.map { Int64(bitPattern: $0.rawValue) })) { row in
                let reference = try row.reference(5)
                prefetched[reference] = nil
                if let recipient = try? Self.recipient(row) { prefetched[reference] = .some(recipient) }
                return true
            }
        let asked = questions.compactMap { question -> InForceLookup.Question? in
            guard let recipient = prefetched[question.reference] ?? nil, let purpose = purposes[question.purpose] else {
                return nil
            }
            return InForceLookup.Question(
                organization: recipient.organization, recipient: recipient.number, purpose: purpose,
                instant: question.instant)
        }
        do {
            try inForce.prefetch(Array(Set(asked)))
        } catch RowError.unreadable {
            // The question about that recipient finds it again, and names it.
            inForce = try InForceLookup(db)
        }
    }

    mutating func status(_ question: ReferenceQuestion) throws -> ConsentStatus {
        do {
            guard let recipient = try recipient(question.reference) else { return .erased }
            do {
                return try status(question, recipient)
            } catch RowError.unreadable(let row) {
                unreadable[try OrganizationID(recipient.organizationID)] = row
                return .erased
            }
        } catch StorageError.unreadable {
            // The register cannot be read. The check of the recipients reports that.
            return .erased
        }
    }

    private mutating func status(_ question: ReferenceQuestion, _ recipient: Recipient) throws -> ConsentStatus {
        guard let identifier = recipient.identifier else {
            return .erased
        }
        found[question.reference] = FoundReferences.Recipient(
            number: recipient.number, organization: recipient.organization, erasures: recipient.erasures)
        if let purpose = purposes[question.purpose],
            let record = try inForce(
                organization: recipient.organization,
                recipient: recipient.number,
                purpose: purpose,
                at: question.instant
            )
        {
            return .inForce(record)
        }
        let organization = try OrganizationID(recipient.organizationID)
        let named = try hasher.person(named: identifier, in: organization, by: recipient.comparison)
        let known = try find(named.hash)
        return known?.isErased ?? true ? .erased : .nothing
    }

    private func recipient(_ reference: RecipientReference) throws -> Recipient? {
        if let known = prefetched[reference] { return known }
        return try findRecipient.first(reference, read: Self.recipient)
    }

    private static func recipient(_ row: SQLRow) throws -> Recipient {
        Recipient(
            number: row.integer(0),
            organization: row.integer(1),
            organizationID: row.text(2),
            comparison: try RecipientComparison(code: row.integer(3)),
            erasures: row.integer(6),
            identifier: try row.recipient(4)
        )
    }
}
