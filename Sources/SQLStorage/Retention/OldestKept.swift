import Consent
import Identifiers
import Organizations
import SQL

/// The times of the oldest rows that retention has not reached yet and that have an end. Looks at one row for each kind
/// and each reason; does not look for what is kept for ever.
struct OldestKept {
    let interaction: Timestamp?
    /// The oldest decision behind the last one that retention has reached. It may be about an erased recipient.
    let decision: Timestamp?

    let access: Timestamp?

    init(organization: Int64, _ retention: Retention, _ db: any SQLConnection) throws {
        interaction = retention.interactionsDays == nil ? nil : try Self.interaction(of: organization, db)
        (decision, access) =
            retention.decisionsDays == nil
            ? (nil, nil)
            : (try Self.decision(of: organization, db), try AccessForgetting.oldest(in: organization, db))
    }

    private static func interaction(of organization: Int64, _ db: any SQLConnection) throws -> Timestamp? {
        try instant(InteractionPositions.least(of: organization, db).min())
    }

    private static func decision(of organization: Int64, _ db: any SQLConnection) throws -> Timestamp? {
        let seen = try RetentionRow.newestForgottenDecision(organization, db)
        return try instant(
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
