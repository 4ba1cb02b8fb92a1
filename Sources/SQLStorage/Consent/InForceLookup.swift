import Consent
import Identifiers
import SQL

/// Finds the consent record in force: one or two steps in the index, however long the history.
///
/// `ends_tracking` only serves to find the right record first. What counts is the state, which has an entry in the
/// ledger.
struct InForceLookup {
    private let statement: SQLStatement

    init(_ db: any SQLConnection) throws {
        // The order is that of ConsentInForce.outranks.
        statement = try db.statement(
            """
            SELECT id, state, occurred_at, valid_until FROM consents INDEXED BY consents_in_force
            WHERE organization = ? AND recipient = ? AND purpose = ? AND occurred_at <= ?
            ORDER BY occurred_at DESC, ends_tracking DESC, id DESC
            """
        )
    }

    func callAsFunction(
        organization: Int64,
        recipient: Int64,
        purpose: Int64,
        at instant: Timestamp
    ) throws -> ConsentInForce? {
        var best: ConsentInForce?
        try statement.forEach(organization, recipient, purpose, instant) { row in
            let next = try ConsentRecordRow.inForce(row, id: 0, state: 1, occurredAt: 2, validUntil: 3)
            guard let found = best else {
                best = next
                // Nothing of the same instant outranks a record that ends tracking, except a later one like it.
                return !next.state.endsTracking
            }
            guard next.occurredAt == found.occurredAt else { return false }
            if next.outranks(found) { best = next }
            return true
        }
        return best
    }
}
