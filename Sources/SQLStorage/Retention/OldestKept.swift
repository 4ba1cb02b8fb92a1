import Consent
import Identifiers
import Interactions
import SQL

/// The times of the oldest rows that retention has not reached yet. Looks at one row for each kind and each reason.
struct OldestKept {
    let interaction: Timestamp?
    /// The oldest decision behind the last one that retention has reached. It may be about an erased recipient.
    let decision: Timestamp?

    init(organization: Int64, _ db: any SQLConnection) throws {
        let first = try db.statement(
            """
            SELECT position FROM interactions INDEXED BY interactions_by_organization
            WHERE organization = ? AND kind = ? ORDER BY position LIMIT 1
            """
        )
        interaction = try Self.instant(
            try InteractionKind.allCases.compactMap { try first.first(organization, $0.code) { $0.integer(0) } }.min())
        let seen = try RetentionRow.newestForgottenDecision(organization, db)
        decision = try Self.instant(
            try DecisionSearch(DecisionQuery(after: seen), organization: organization, limit: 1).ids(person: nil, db)
                .first)
    }

    /// - Parameter number: an id or a position.
    private static func instant(_ number: Int64?) throws -> Timestamp? {
        guard let number else { return nil }
        guard let known = TimeOrderedNumber(rawValue: UInt64(bitPattern: number)) else { throw StorageError.unreadable }
        return known.timestamp
    }
}
