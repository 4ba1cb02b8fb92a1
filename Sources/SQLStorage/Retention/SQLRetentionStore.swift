package import Identifiers
import Ledger
package import Organizations
import SQL
package import StoragePorts

/// Forgetting in a database.
package struct SQLRetentionStore: RetentionStore {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    package func purge(
        _ organization: OrganizationID, at now: Timestamp, limit: Int, as token: JobToken
    ) async throws -> Purge {
        try await database.write(load: .bulk(rows: limit)) { writing in
            try writing.requireLease(token, of: .retention)
            // Read inside the step, because the organization may just have been set to keep more.
            let row = try OrganizationRow.require(organization, writing.db)
            // The ledger must be open, because forgetting writes an entry, too.
            try writing.ledgers.frontiers.requireWhole(organization)
            let retention = try RetentionRow.find(row.number, writing.db)
            var step = RetentionPurge(organization: row.number, named: organization, limit: limit, writing)
            if let kept = retention.interactionsKept(at: now) { try step.removeInteractions(before: kept, at: now) }
            if let kept = retention.decisionsKept(at: now) {
                try step.forgetDecisions(before: kept)
                try step.forgetAccesses(before: kept)
            }
            try step.removeConsentRequests(at: now)
            try Self.enter(step, row, named: organization, at: now, writing)
            return Purge(
                interactions: step.interactions, decisions: step.decisions, accesses: step.accesses,
                isLast: step.isLast)
        }
    }

    private static func enter(
        _ step: RetentionPurge, _ row: OrganizationRow, named id: OrganizationID, at now: Timestamp,
        _ writing: WriteContext
    ) throws {
        guard step.decisions + step.interactions + step.accesses > 0 else { return }
        let time = writing.time(notBefore: now)
        var ledger = try LedgerAppend(row, named: id, at: time, writing)
        if step.decisions + step.interactions > 0 {
            try ledger.add(.purge(at: time, decisions: step.enteredDecisions, interactions: step.interactions))
        }
        if step.accesses > 0 { try ledger.add(.accessesForgotten(at: time, accesses: step.accesses)) }
        try ledger.finish()
    }

    package func nextDue(in organization: OrganizationID) async throws -> Timestamp? {
        try await database.read { db in
            let row = try OrganizationRow.require(organization, db)
            let retention = try RetentionRow.find(row.number, db)
            let oldest = try OldestKept(organization: row.number, retention, db)
            let daysOfRequests = try ConsentRequestForgetting.daysKept(in: row.number, db)
            let oldestRequest = try ConsentRequestForgetting.oldest(in: row.number, db)
            return [
                oldestRequest?.advanced(byDays: daysOfRequests),
                oldest.interaction.flatMap(retention.endOfInteraction),
                oldest.decision.flatMap(retention.endOfDecision),
                oldest.access.flatMap(retention.endOfDecision),
            ].compactMap { $0 }.min()
        }
    }

    package func forgetRequests(madeUntil instant: Timestamp, limit: Int, as token: JobToken) async throws -> Int {
        // Usually there is nothing to delete, and a read needs no commit.
        guard let oldest = try await database.read({ try RequestRow.oldest($0) }), oldest <= instant else { return 0 }
        return try await database.write(load: .bulk(rows: limit)) { writing in
            try writing.requireLease(token, of: .retention)
            return try RequestRow.forget(madeUntil: instant, limit: limit, writing.db)
        }
    }

    package func hold(at now: Timestamp) async throws -> RetentionHold {
        let kept = try await database.read { db in
            try db.statement("SELECT trusted, is_held, held_since, seen FROM purge_clock").first { row in
                PurgeClock(
                    trusted: row.timestamp(0), isHeld: row.bool(1),
                    heldSince: row.optionalTimestamp(2), seen: row.optionalTimestamp(3))
            }
        }
        return RetentionHold(
            trusted: kept?.trusted, wasHeld: kept?.isHeld ?? false, since: kept?.heldSince, seen: kept?.seen, at: now)
    }

    package func store(_ hold: RetentionHold, as token: JobToken) async throws {
        try await database.write { writing in
            try writing.requireLease(token, of: .retention)
            try writing.db.statement("DELETE FROM purge_clock").run()
            try writing.db.statement("INSERT INTO purge_clock (trusted, is_held, held_since, seen) VALUES (?, ?, ?, ?)")
                .run(hold.trusted, hold.heldSince != nil, hold.heldSince, hold.seen)
        }
    }
}

private struct PurgeClock: Sendable {
    let trusted: Timestamp
    let isHeld: Bool
    /// `nil` if there is no hold, or if the hold was noted by a version without this column.
    let heldSince: Timestamp?
    let seen: Timestamp?
}
