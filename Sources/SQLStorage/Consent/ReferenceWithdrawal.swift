import Consent
import Identifiers
import SQL

/// A withdrawal by the recipient for whom a reference stands, inside the write that stores it.
struct ReferenceWithdrawal: Sendable {
    /// One for each purpose that was asked about.
    let outcomes: [Withdrawal]
    let changes: [ConsentChange]

    /// - Parameter instant: the time of the withdrawals, and the time at which the records in force are read.
    static func make(
        _ reference: RecipientReference,
        for purposes: [Purpose],
        evidence: ConsentEvidence,
        in organization: OrganizationID,
        at instant: Timestamp,
        _ hasher: RecipientHasher,
        _ writing: WriteContext
    ) throws -> ReferenceWithdrawal {
        let db = writing.db
        let row = try OrganizationRow.require(organization, db)
        let nobody = ReferenceWithdrawal(outcomes: purposes.map { _ in .nobody }, changes: [])
        guard let recipient = try recipient(reference, in: row, db) else { return nobody }
        var lookup = try ReferenceStatusLookup(hasher, db)
        let statuses = try purposes.map {
            try lookup.status(ReferenceQuestion(reference: reference, purpose: $0, instant: instant))
        }
        if let unreadable = lookup.unreadable[organization] { throw RowError.unreadable(unreadable) }
        let person = try hasher.person(named: recipient, in: organization, by: row.comparison)
        var append = try ConsentAppend(organization: organization, now: instant, writing)
        let outcomes = try zip(purposes, statuses).map { purpose, status -> Withdrawal in
            switch status {
            case .erased: return .nobody
            case .inForce(let consent) where consent.state.endsTracking: return .hadEnded
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
    ) throws -> RecipientID? {
        let found = try db.statement("SELECT identifier FROM recipients WHERE reference = ? AND organization = ?")
            .first(reference, organization.number) { try $0.recipient(0) }
        return found ?? nil
    }
}
