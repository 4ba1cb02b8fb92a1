import Consent
import GRDB
import Identifiers

/// Finds the consent record in force: one step in the index, however long the history.
struct InForceLookup {
    private let statement: SQLStatement

    init(_ db: Database) throws {
        // The order is that of ConsentInForce.outranks.
        statement = try db.statement(
            """
            SELECT id, state, occurred_at, valid_until FROM consents INDEXED BY consents_in_force
            WHERE organization = ? AND recipient = ? AND purpose = ? AND occurred_at <= ?
            ORDER BY occurred_at DESC, ends_tracking DESC, id DESC LIMIT 1
            """
        )
    }

    func callAsFunction(
        organization: Int64,
        recipient: Int64,
        purpose: Int64,
        at moment: Timestamp
    ) throws -> ConsentInForce? {
        try statement.first(organization, recipient, purpose, moment) { row in
            ConsentInForce(
                record: try row.id(0),
                state: try ConsentState(code: row.integer(1)),
                occurredAt: row.timestamp(2),
                validUntil: row.optionalTimestamp(3)
            )
        }
    }
}
