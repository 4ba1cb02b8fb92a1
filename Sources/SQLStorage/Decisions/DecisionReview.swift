import Consent
import Identifiers
import SQL

/// Judges again, inside the write, recipients whose verdict may have changed since their status was asked for.
///
/// The order of the commits is the order of judgement: a verdict is valid at the time that its decision carries, by the
/// records committed before it. Usually there is no new record, and the review reads only the end of a table.
struct DecisionReview {
    private enum Scope {
        case noRecipient
        /// Recipients with a new record, and those who were unknown when their status was asked for.
        case recipients(Set<Int64>)
        case everybody
    }

    private let scope: Scope
    private let policy: ConsentPolicy
    private let instant: Timestamp
    private let lookup: StatusLookup?

    /// - Parameters:
    ///   - organization: must be in the epoch of `basis`, so that its enforcement is the one of the verdicts.
    ///   - instant: the time that the decisions carry.
    init(
        _ organization: OrganizationRow, asOf basis: SnapshotBasis, purpose: Int64, named name: Purpose,
        at instant: Timestamp, _ db: any SQLConnection
    ) throws {
        policy = ConsentPolicy(enforcement: organization.enforcement)
        self.instant = instant
        let changed = try Self.recipients(of: organization.number, purpose, recordedAfter: basis.lastRecord, db)
        if basis.holdsUntil <= instant {
            scope = .everybody
        } else {
            scope = changed.isEmpty ? .noRecipient : .recipients(changed)
        }
        lookup =
            if case .noRecipient = scope {
                nil
            } else {
                try StatusLookup(organization: organization.number, purposes: [name], instant: instant, db)
            }
    }

    /// The valid verdict.
    /// - Parameter person: the values from when the status was asked for; is replaced if the recipient is judged again.
    func verdict(of decision: Decision, _ person: inout RecipientLookupCache.Person) throws -> ConsentVerdict {
        guard let lookup, decision.verdict != .trackingOff, concerns(person) else { return decision.verdict }
        person = RecipientLookupCache.Person(named: person.named)
        return policy.decide(try lookup.status(of: &person), at: instant)
    }

    private func concerns(_ person: RecipientLookupCache.Person) -> Bool {
        switch scope {
        case .noRecipient: false
        case .recipients(let changed): person.recipient.map(changed.contains) ?? true
        case .everybody: true
        }
    }

    private static func recipients(
        of organization: Int64, _ purpose: Int64, recordedAfter last: ConsentRecordID?, _ db: any SQLConnection
    ) throws -> Set<Int64> {
        // The new records are few and at the end of the table. An index would find the records of all recipients, so
        // `NOT INDEXED` and `+ 0` keep every engine from using one. The second bound is for a planner that does not
        // know the values: it assumes that a third of a table lies beyond one bound, but half a percent between two.
        let recipients = try db.statement(
            """
            SELECT recipient FROM consents NOT INDEXED
            WHERE id > ? AND id < ? AND organization + 0 = ? AND purpose + 0 = ? AND recipient IS NOT NULL
            """
        ).all(Int64(last?.rawValue ?? 0), Int64.max, organization, purpose) { $0.integer(0) }
        return Set(recipients)
    }
}
