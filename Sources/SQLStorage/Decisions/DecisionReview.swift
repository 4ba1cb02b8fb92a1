import Consent
import Identifiers
import SQL

/// Judges again, inside the write, the recipients whose verdict may no longer hold since their status was asked for.
///
/// The order of the commits is the order of judgement: a verdict holds at the time that its decision carries, by the
/// records committed before it. Usually nothing was recorded in between, which costs one look at the end of a table.
struct DecisionReview {
    private enum Scope {
        case nobody
        /// Recipients with a record since, and those who were not known when their status was asked for.
        case recipients(Set<Int64>)
        case everybody
    }

    private let scope: Scope
    private let policy: ConsentPolicy
    private let instant: Timestamp
    private let lookup: StatusLookup?

    /// - Parameters:
    ///   - organization: in the epoch of `basis`, so the verdicts were given by its enforcement.
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
            scope = changed.isEmpty ? .nobody : .recipients(changed)
        }
        lookup =
            if case .nobody = scope {
                nil
            } else {
                try StatusLookup(organization: organization.number, purposes: [name], instant: instant, db)
            }
    }

    /// The verdict that holds.
    /// - Parameter person: what was known when it was asked; is told what is known now.
    func verdict(of decision: Decision, _ person: inout RecipientLookupCache.Person) throws -> Verdict {
        guard let lookup, decision.verdict != .trackingOff, concerns(person) else { return decision.verdict }
        person = RecipientLookupCache.Person(named: person.named)
        return policy.decide(try lookup.status(of: &person), at: instant)
    }

    private func concerns(_ person: RecipientLookupCache.Person) -> Bool {
        switch scope {
        case .nobody: false
        case .recipients(let changed): person.recipient.map(changed.contains) ?? true
        case .everybody: true
        }
    }

    private static func recipients(
        of organization: Int64, _ purpose: Int64, recordedAfter last: ConsentRecordID?, _ db: any SQLConnection
    ) throws -> Set<Int64> {
        // The records since then are few and stand at the end of the table; an index would find everybody's, and the sums
        // keep every engine from using it. A planner that knows no values takes a third of a table to lie beyond one
        // bound, and half a percent between two.
        let recipients = try db.statement(
            """
            SELECT recipient FROM consents NOT INDEXED
            WHERE id > ? AND id < ? AND organization + 0 = ? AND purpose + 0 = ? AND recipient IS NOT NULL
            """
        ).all(Int64(last?.rawValue ?? 0), Int64.max, organization, purpose) { $0.integer(0) }
        return Set(recipients)
    }
}
