import Consent
import Identifiers
import SQL

/// The status of recipients of one organization with regard to some purposes at one time.
struct StatusLookup {
    private let organization: Int64
    /// `nil` for a purpose that no record was ever stored for.
    private let purposes: [Int64?]
    private let instant: Timestamp
    private let db: any SQLConnection
    private var find: RecipientLookup
    private let findReference: SQLStatement
    private var inForce: InForceLookup
    /// The references that ``prefetch(_:)`` found.
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

    /// Looks up all of them with one query for each table, if the engine has lists.
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
                // A reference that cannot be read is looked up again by itself.
                references[row.integer(0)] = try row.ifReadable { try row.reference(1) }
                return true
            }
    }

    /// Appends the status of a person for each purpose.
    /// - Parameter asked: receives the other values about the recipient that a decision needs.
    /// - Throws: ``RowError/unreadableRecipient(_:)``
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
                    organization: organization, recipient: recipient, purpose: purpose, at: instant),
                // The only grant that an erased recipient can have is one that had ended before it was recorded.
                record.state.endsTracking || !known.isErased
            else {
                statuses.append(known.isErased ? .erased : .nothing)
                continue
            }
            if !record.state.endsTracking, asked.reference == nil {
                asked.reference = try references[recipient] ?? reference(of: recipient)
            }
            statuses.append(.inForce(record))
        }
    }

    private func reference(of recipient: Int64) throws -> RecipientReference? {
        do {
            return try findReference.first(recipient) { try $0.reference(0) }
        } catch StorageError.unreadable {
            throw RowError.unreadableRecipient(recipient)
        }
    }

    /// The status of a person for the first of the purposes, as ``appendStatuses(of:to:)`` finds it.
    func status(of asked: inout RecipientLookupCache.Person) throws -> ConsentStatus {
        var statuses: [ConsentStatus] = []
        try appendStatuses(of: &asked, to: &statuses)
        return statuses[0]
    }
}
