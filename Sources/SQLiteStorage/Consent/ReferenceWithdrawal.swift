import Consent
import GRDB
import Identifiers
import SQLiteFiles

/// A withdrawal by the person for whom a reference stands, inside the write that stores it.
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
        _ hasher: RecipientHasher,
        _ writing: WriteContext
    ) throws -> ReferenceWithdrawal {
        let db = writing.db
        let row = try OrganizationRow.require(organization, db)
        guard let recipient = try recipient(question.reference, in: row, db) else { return Self(.nobody) }
        var lookup = try ReferenceStatusLookup(hasher, db)
        let status = try lookup.status(question)
        if let unreadable = lookup.unreadable[organization] { throw RowError.unreadable(unreadable) }
        switch status {
        case .erased: return Self(.nobody)
        case .inForce(let consent) where consent.state.endsTracking: return Self(.hadEnded)
        case .inForce, .nothing:
            let new = try NewConsentRecord(
                recipient: recipient, purpose: question.purpose, state: .withdrawn, occurredAt: nil, validUntil: nil,
                evidence: evidence, now: question.instant)
            var append = try ConsentAppend(organization: organization, now: question.instant, writing)
            try append.add(new, about: hasher.person(named: recipient, in: organization, by: row.comparison))
            try append.finish()
            guard let record = append.records.first else { throw StorageError.unreadable }
            return Self(.recorded(record), changes: try append.changes())
        }
    }

    /// - Returns: `nil` if the reference stands for no person (any more), or for a person of another organization.
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
