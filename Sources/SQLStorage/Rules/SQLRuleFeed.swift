import Identifiers
import Ledger
package import Organizations
import SQL

/// The rules in the database, and their changes since it was opened, of which the last ones are kept in memory.
///
/// There is one writer, and it tells its feed before it answers: the feed is never behind.
package struct SQLRuleFeed: RuleFeed {
    private let closing: LedgerClosing
    private let changes: RuleChangeBuffer

    init(_ closing: LedgerClosing, changes: RuleChangeBuffer) {
        self.closing = closing
        self.changes = changes
    }

    package func poll(after cursor: RuleCursor) async throws -> RulePage { changes.page(after: cursor) }

    package func snapshot() async throws -> RuleSnapshot {
        // On the writer, alone: no change is committed between the cursor and the rules.
        let read = try await closing.database.write(isAlone: true, changesNothing: true) { [changes] writing in
            var read = ReadRules(cursor: changes.head)
            let now = writing.time(notBefore: .distantPast)
            for id in try OrganizationSettingsRow.ids(writing.db) { try read.add(id, at: now, writing.db) }
            return read
        }
        for organization in read.unreadable {
            closing.ledgers.close(because: LedgerInconsistency(organization, .derived(.settings)))
        }
        for rules in read.ends {
            if let row = rules.unreadable { await closing.close(rules.rules.organization, becauseOf: row) }
        }
        return RuleSnapshot(organizations: read.ends.map(\.rules), cursor: read.cursor)
    }
}

/// What one transaction reads of all organizations.
private struct ReadRules: Sendable {
    let cursor: RuleCursor
    private(set) var ends: [RecordingEnds] = []
    /// Those whose settings cannot be read. The others go on.
    private(set) var unreadable: [OrganizationID] = []

    init(cursor: RuleCursor) { self.cursor = cursor }

    mutating func add(_ id: OrganizationID, at now: Timestamp, _ db: any SQLConnection) throws {
        do {
            ends.append(try RecordingEnds.load(id, at: now, db))
        } catch StorageError.unreadable {
            unreadable.append(id)
        }
    }
}
