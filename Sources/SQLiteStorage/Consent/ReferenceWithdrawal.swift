import Consent
import GRDB
import Identifiers
import SQLiteFiles

/// A withdrawal by whoever a reference stands for, inside its write.
struct ReferenceWithdrawal: Sendable {
    let outcome: Withdrawal
    let changes: [ConsentChange]

    private init(_ outcome: Withdrawal, changes: [ConsentChange] = []) {
        self.outcome = outcome
        self.changes = changes
    }

    static func make(
        _ question: ReferenceQuestion,
        evidence: ConsentEvidence,
        in organization: OrganizationID,
        _ hasher: PersonHasher,
        _ writing: Writing
    ) throws -> ReferenceWithdrawal {
        let db = writing.db
        let row = try OrganizationRow.require(organization, db)
        guard let recipient = try recipient(question.reference, in: row, db) else { return Self(.nobody) }
        var lookup = try ReferenceStandingLookup(hasher, db)
        let standing = try lookup.standing(question)
        if let unreadable = lookup.unreadable[organization] { throw RowError.unreadable(unreadable) }
        switch standing {
        case .erased: return Self(.nobody)
        case .inForce(let consent) where consent.state.endsTracking: return Self(.hadEnded)
        case .inForce, .nothing:
            let new = try NewConsentRecord(
                recipient: recipient, purpose: question.purpose, state: .withdrawn, occurredAt: nil, validUntil: nil,
                evidence: evidence, now: question.moment)
            var append = try ConsentAppend(organization: organization, now: question.moment, writing)
            try append.add(new, about: hasher.person(named: recipient, in: organization, by: row.comparison))
            try append.finish()
            guard let record = append.records.first else { throw StorageError.unreadable }
            return Self(.recorded(record), changes: try append.changes())
        }
    }

    /// - Returns: `nil` for a reference that stands for nobody (any more), or for somebody of another organization.
    private static func recipient(
        _ reference: RecipientReference,
        in organization: OrganizationRow,
        _ db: Database
    ) throws -> RecipientID? {
        let found = try db.statement("SELECT identifier FROM recipients WHERE reference = ? AND organization = ?")
            .first(reference, organization.number) { try $0.recipient(0) }
        return found ?? nil
    }
}
