import Consent
import Identifiers
import Ledger
import SQL

/// The status of the recipients behind references. A recipient whose consent records cannot be read counts as erased,
/// because what cannot be judged must not be recorded. The recipient's own row is read if no record is in force.
struct ReferenceStatusLookup {
    private let hasher: RecipientHasher
    private let db: any SQLConnection
    private let findRecipient: SQLStatement
    private let findNumber: SQLStatement
    private let findOrganization: SQLStatement
    private let findNamed: SQLStatement
    private var find: RecipientLookup
    private var inForce: InForceLookup
    /// The recipients that ``prefetch(_:)`` found; a value of `nil` means that there is none.
    private var prefetched: [RecipientReference: Recipient?] = [:]
    /// The numbers of purposes that were asked for; `nil` for a purpose that no record was ever stored for.
    private var purposes: [Purpose: Int64?] = [:]
    /// The organizations that were read so far.
    private var organizations: [Int64: Organization] = [:]
    /// The organizations that questions named; `nil` for one that does not exist.
    private var named: [OrganizationID: NamedOrganization?] = [:]
    /// The recipients that were found and are not erased.
    private(set) var found: [RecipientReference: FoundReferences.Recipient] = [:]
    /// A record that could not be read, for each organization that has one.
    private(set) var unreadable: [OrganizationID: LedgerRowName] = [:]

    private struct Recipient {
        let number: Int64
        let organization: Int64
        /// `nil` after an erasure.
        let identifier: RecipientID?
    }

    private struct NamedOrganization {
        let id: OrganizationID
        let number: Int64
        let erasures: Int64
    }

    private struct Organization {
        let id: OrganizationID
        let comparison: RecipientComparison
        let erasures: Int64
    }

    init(_ hasher: RecipientHasher, _ db: any SQLConnection) throws {
        self.hasher = hasher
        self.db = db
        findRecipient = try db.statement("\(Self.recipients) WHERE reference = ?")
        // The index contains both columns.
        findNumber = try db.statement("SELECT number FROM recipients WHERE reference = ?")
        findOrganization = try db.statement("\(Self.organizations) WHERE number = ?")
        findNamed = try db.statement("SELECT number, erasures FROM organizations WHERE id = ?")
        find = try RecipientLookup(db)
        inForce = try InForceLookup(db)
    }

    private static let recipients = "SELECT number, organization, identifier, reference FROM recipients"
    private static let organizations = "SELECT id, identifiers, erasures, number FROM organizations"

    /// Looks up all of them with one query for each table. The engine must have lists. What cannot be read is left to
    /// the single look-ups.
    private mutating func prefetch(_ questions: [ReferenceQuestion]) throws {
        guard questions.count > 1 else { return }
        let references = Set(questions.map(\.reference))
        for reference in references { prefetched[reference] = .some(nil) }
        try db.statement("\(Self.recipients) WHERE reference = ANY(?)")
            .forEach(IntegerList(references.map { Int64(bitPattern: $0.rawValue) })) { row in
                let reference = try row.reference(3)
                prefetched[reference] = nil
                if let recipient = try row.ifReadable({ try Self.recipient(row) }) {
                    prefetched[reference] = .some(recipient)
                }
                return true
            }
        let numbers = Set(prefetched.values.compactMap { $0?.organization })
        try db.statement("\(Self.organizations) WHERE number = ANY(?)").forEach(IntegerList(Array(numbers))) { row in
            let number = row.integer(3)
            organizations[number] = try row.ifReadable { try Self.organization(row) }
            return true
        }
        var asked: [InForceLookup.Question] = []
        for question in questions {
            guard let recipient = prefetched[question.reference] ?? nil,
                let purpose = try readableNumber(of: question.purpose)
            else { continue }
            asked.append(
                InForceLookup.Question(
                    organization: recipient.organization, recipient: recipient.number, purpose: purpose,
                    instant: question.instant))
        }
        try inForce.prefetch(Array(Set(asked)))
    }

    /// The status for each question, in the order of the questions. An engine without lists looks them up in the order
    /// of the indexes, because the next row is often in a page that was just read.
    mutating func statuses(of questions: [ReferenceQuestion]) throws -> [ConsentStatus] {
        guard !db.dialect.hasLists else {
            try prefetch(questions)
            return try questions.map { try status($0) }
        }
        var statuses = [ConsentStatus](repeating: .erased, count: questions.count)
        for (number, index) in try numbers(of: questions) {
            statuses[index] = try status(questions[index], of: number)
        }
        return statuses
    }

    private mutating func status(_ question: ReferenceQuestion, of recipient: Int64) throws -> ConsentStatus {
        guard let id = question.organization, let organization = try organization(named: id) else {
            return try status(question)
        }
        return try statusByRecord(question, of: recipient, in: organization)
            ?? status(question, withoutRecordIn: organization.number)
    }

    /// The row of each reference and its index among the questions, in the order of the rows. References without a row
    /// are left out.
    private func numbers(of questions: [ReferenceQuestion]) throws -> [(number: Int64, index: Int)] {
        // Has first the references, then the numbers: with thousands of questions, a second array would take as much.
        var rows = questions.enumerated().map { (number: Int64(bitPattern: $1.reference.rawValue), index: $0) }
        rows.sort { $0.number < $1.number }
        var count = 0
        for place in rows.indices {
            let (reference, index) = rows[place]
            guard let number = try findNumber.first(reference, read: { $0.integer(0) }) else { continue }
            rows[count] = (number, index)
            count += 1
        }
        rows.removeSubrange(count...)
        rows.sort { $0.number < $1.number }
        return rows
    }

    /// - Parameter asked: the number of an organization that is known to have no record in force for the recipient.
    mutating func status(
        _ question: ReferenceQuestion, withoutRecordIn asked: Int64? = nil
    ) throws -> ConsentStatus {
        do {
            guard let recipient = try recipient(question.reference) else { return .erased }
            let organization = try organization(recipient.organization)
            do {
                return try status(question, recipient, organization, withoutRecordIn: asked)
            } catch RowError.unreadable(let row) {
                unreadable[organization.id] = row
                return .erased
            }
        } catch StorageError.unreadable {
            // The recipients table cannot be read. The check of the recipients reports that.
            return .erased
        }
    }

    /// The status of a recipient, if the record in force tells it without the recipient's row. An erasure removes the
    /// recipient's records; a record that was stored since leaves them erased only if it is a no, or a yes that has
    /// ended. Only such a yes requires a look at the row.
    private mutating func statusByRecord(
        _ question: ReferenceQuestion, of recipient: Int64, in organization: NamedOrganization
    ) throws -> ConsentStatus? {
        do {
            guard let purpose = try number(of: question.purpose) else { return nil }
            let record = try inForce(
                organization: organization.number, recipient: recipient, purpose: purpose, at: question.instant)
            guard let record else { return nil }
            guard !record.isExpired(at: question.instant) else { return try status(question) }
            found[question.reference] = FoundReferences.Recipient(
                number: recipient, organization: organization.number, erasures: organization.erasures)
            return .inForce(record)
        } catch RowError.unreadable(let row) {
            unreadable[organization.id] = row
            return .erased
        } catch StorageError.unreadable {
            // The purposes cannot be read. The check of the indexes reports that.
            return .erased
        }
    }

    private mutating func organization(named id: OrganizationID) throws -> NamedOrganization? {
        if let known = named[id] { return known }
        let found = try findNamed.first(id.description) {
            NamedOrganization(id: id, number: $0.integer(0), erasures: $0.integer(1))
        }
        named[id] = .some(found)
        return found
    }

    private mutating func status(
        _ question: ReferenceQuestion, _ recipient: Recipient, _ organization: Organization,
        withoutRecordIn asked: Int64?
    ) throws -> ConsentStatus {
        guard let identifier = recipient.identifier else {
            return .erased
        }
        found[question.reference] = FoundReferences.Recipient(
            number: recipient.number, organization: recipient.organization, erasures: organization.erasures)
        if recipient.organization != asked, let purpose = try number(of: question.purpose),
            let record = try inForce(
                organization: recipient.organization,
                recipient: recipient.number,
                purpose: purpose,
                at: question.instant
            )
        {
            let isErased = try record.isExpired(at: question.instant) && isErased(identifier, organization)
            return isErased ? .erased : .inForce(record)
        }
        return try isErased(identifier, organization) ? .erased : .nothing
    }

    private mutating func isErased(_ identifier: RecipientID, _ organization: Organization) throws -> Bool {
        let named = try hasher.person(named: identifier, in: organization.id, by: organization.comparison)
        return try find(named.hash)?.isErased ?? true
    }

    private mutating func number(of purpose: Purpose) throws -> Int64? {
        if let known = purposes[purpose] { return known }
        let number = try PurposeRow.find(purpose, db)
        purposes[purpose] = .some(number)
        return number
    }

    /// `nil` also for a purpose that cannot be read.
    private mutating func readableNumber(of purpose: Purpose) throws -> Int64? {
        do { return try number(of: purpose) } catch StorageError.unreadable { return nil }
    }

    private func recipient(_ reference: RecipientReference) throws -> Recipient? {
        if let known = prefetched[reference] { return known }
        return try findRecipient.first(reference, read: Self.recipient)
    }

    private static func recipient(_ row: SQLRow) throws -> Recipient {
        Recipient(number: row.integer(0), organization: row.integer(1), identifier: try row.recipient(2))
    }

    private mutating func organization(_ number: Int64) throws -> Organization {
        if let known = organizations[number] { return known }
        let found = try findOrganization.first(number, read: Self.organization)
        guard let found else { throw StorageError.unreadable }
        organizations[number] = found
        return found
    }

    private static func organization(_ row: SQLRow) throws -> Organization {
        let id: OrganizationID
        do throws(IdentifierError) { id = try OrganizationID(row.text(0)) } catch { throw StorageError.unreadable }
        return Organization(
            id: id, comparison: try RecipientComparison(code: row.integer(1)), erasures: row.integer(2))
    }
}
