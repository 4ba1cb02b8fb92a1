import Consent
import Identifiers
import SQL

/// A withdrawal by the recipient for whom a reference stands, inside the write that stores it.
struct ReferenceWithdrawal: Sendable {
    /// One for each purpose, and a separate one for opens if they were withdrawn, too.
    let outcomes: [Withdrawal]
    let changes: [ConsentChange]

    /// - Parameter instant: the time of the withdrawals, and the time at which the records in force are read.
    static func make(
        _ reference: RecipientReference,
        for purposes: [Purpose],
        alsoOpens: Bool,
        evidence: ConsentEvidence,
        in organization: OrganizationID,
        at instant: Timestamp,
        _ hasher: RecipientHasher,
        _ writing: WriteContext
    ) throws -> ReferenceWithdrawal {
        let db = writing.db
        let row = try OrganizationRow.require(organization, db)
        let none = ReferenceWithdrawal(outcomes: purposes.map { _ in .noRecipient }, changes: [])
        guard let (number, recipient) = try recipient(reference, in: row, db) else { return none }
        var lookup = try ReferenceStatusLookup(hasher, db)
        var found = try purposes.map { (purpose: $0, status: try lookup.status(of: reference, for: $0, at: instant)) }
        if alsoOpens {
            let status = try lookup.status(of: reference, for: .openTracking, at: instant)
            if OpensApart.areRecorded(status, in: row, at: instant) { found.append((.openTracking, status)) }
        }
        if let unreadable = lookup.unreadable[organization] { throw RowError.unreadable(unreadable) }
        let person = try hasher.person(named: recipient, in: organization, by: row.comparison)
        var append = try ConsentAppend(organization: organization, now: instant, hasher, writing)
        let outcomes = try found.map { purpose, status -> Withdrawal in
            switch status {
            case .erased: return .noRecipient
            case .inForce(let consent)
            where try consent.state.endsTracking
                && !isRecordedAgain(purpose, of: number, in: row, after: consent, at: instant, db):
                return .hadEnded
            case .inForce, .nothing:
                let new = try NewConsentRecord(
                    recipient: recipient, purpose: purpose, state: .withdrawn, occurredAt: nil, validUntil: nil,
                    evidence: evidence, now: instant)
                try append.add(new, about: person)
                guard let record = append.records.last else { throw StorageError.unreadable }
                return .recorded(record)
            }
        }
        guard !append.records.isEmpty else { return ReferenceWithdrawal(outcomes: outcomes, changes: []) }
        try append.finish()
        return ReferenceWithdrawal(outcomes: outcomes, changes: try append.changes())
    }

    /// - Returns: `nil` if the reference stands for no recipient (any more), or for a recipient of another
    ///   organization.
    private static func recipient(
        _ reference: RecipientReference,
        in organization: OrganizationRow,
        _ db: any SQLConnection
    ) throws -> (number: Int64, identifier: RecipientID)? {
        let found = try db.statement(
            "SELECT number, identifier FROM recipients WHERE reference = ? AND organization = ?"
        ).first(reference, organization.number) { row in try row.recipient(1).map { (row.integer(0), $0) } }
        return found ?? nil
    }

    private static func isRecordedAgain(
        _ purpose: Purpose, of recipient: Int64, in organization: OrganizationRow, after inForce: ConsentInForce,
        at instant: Timestamp, _ db: any SQLConnection
    ) throws -> Bool {
        guard RepeatedRefusal.isLater(instant, than: inForce.occurredAt),
            let purpose = try PurposeRow.find(purpose, db)
        else { return false }
        let count = try db.statement(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM consents INDEXED BY consents_in_force
                WHERE organization = ? AND recipient = ? AND purpose = ? AND occurred_at > ? LIMIT ?
            ) counted
            """
        ).first(
            organization.number, recipient, purpose, instant - RepeatedRefusal.period, RepeatedRefusal.maximumCount
        ) { $0.integer(0) }
        return count.map { $0 < RepeatedRefusal.maximumCount } ?? false
    }
}

extension ReferenceStatusLookup {
    fileprivate mutating func status(
        of reference: RecipientReference, for purpose: Purpose, at instant: Timestamp
    ) throws -> ConsentStatus {
        try status(ReferenceQuestion(reference: reference, purpose: purpose, instant: instant))
    }
}
