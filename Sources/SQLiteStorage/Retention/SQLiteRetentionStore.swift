package import Identifiers
import Ledger
package import Organizations

/// Forgetting in the main file.
package struct SQLiteRetentionStore: RetentionStore {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    package func purge(_ organization: OrganizationID, at now: Timestamp, limit: Int) async throws -> Purge {
        try await database.write { writing in
            // As it is set when the step is done: somebody may just have asked for more to be kept.
            let row = try OrganizationRow.require(organization, writing.db)
            let retention = try RetentionRow.find(row.number, writing.db)
            var step = RetentionPurge(organization: row.number, limit: limit, writing)
            if let kept = retention.interactionsKept(at: now) { try step.removeInteractions(before: kept) }
            if let kept = retention.decisionsKept(at: now) { try step.forgetDecisions(before: kept) }
            if step.decisions + step.interactions > 0 {
                var ledger = try LedgerAppend(row, named: organization, at: now, writing)
                try ledger.add(.purge(at: now, decisions: step.decisions, interactions: step.interactions))
                try ledger.finish()
            }
            return Purge(interactions: step.interactions, decisions: step.decisions, isLast: step.isLast)
        }
    }
}
