package import Identifiers
import Ledger
package import SQL
package import StoragePorts

/// A source of the rules and of their changes.
package protocol RuleSource: Sendable {
    /// As ``RuleFeed/poll(after:)``.
    func page(after cursor: RuleCursor) async throws -> RulePage

    /// All rules at one moment, and the cursor that belongs to it.
    func rules() async throws -> StoredRules
}

/// The rules in the database, and their changes.
package struct SQLRuleFeed: RuleFeed {
    private let guarded: GuardedDatabase
    private let source: any RuleSource

    init(_ guarded: GuardedDatabase, source: any RuleSource) {
        self.guarded = guarded
        self.source = source
    }

    package func poll(after cursor: RuleCursor) async throws -> RulePage { try await source.page(after: cursor) }

    package func snapshot() async throws -> RuleSnapshot {
        let read = try await source.rules()
        for organization in read.unreadable {
            guarded.ledgers.close(because: LedgerInconsistency(organization, .derived(.settings)))
        }
        for rules in read.ends {
            if let row = rules.unreadable { await guarded.close(rules.rules.organization, becauseOf: row) }
        }
        return RuleSnapshot(organizations: read.ends.map(\.rules), cursor: read.cursor)
    }

    package func messages(after id: MessageID?, limit: Int) async throws -> MessagePage {
        try await guarded.database.read { db in try MessageRow.page(after: id, limit: limit, db) }
    }
}

/// The rules of all organizations, read in one transaction.
package struct StoredRules: Sendable {
    fileprivate let cursor: RuleCursor
    fileprivate private(set) var ends: [RecordingEnds] = []
    /// The organizations whose settings cannot be read. The others are not affected.
    fileprivate private(set) var unreadable: [OrganizationID] = []

    /// - Parameters:
    ///   - cursor: the end of the feed in the snapshot of the transaction.
    ///   - now: the time for which the consent in force is read.
    package init(cursor: RuleCursor, at now: Timestamp, _ db: any SQLConnection) throws {
        self.cursor = cursor
        for id in try OrganizationSettingsRow.ids(db) {
            do {
                ends.append(try RecordingEnds.load(id, at: now, db))
            } catch StorageError.unreadable {
                unreadable.append(id)
            }
        }
    }
}

/// The changes since the database was opened; those that the process does not obey yet are kept in memory.
///
/// There is one process, and it informs the feed before it answers a caller, so the feed is never behind.
struct RulesOfOneProcess: RuleSource {
    let database: any SQLDatabase
    let changes: RuleChangeBuffer

    func page(after cursor: RuleCursor) async throws -> RulePage { changes.page(after: cursor) }

    func rules() async throws -> StoredRules {
        // Alone on the writer's thread, so that no change is committed between reading the cursor and reading the
        // rules.
        try await database.write(isAlone: true, changesNothing: true) { [changes] writing in
            try StoredRules(cursor: changes.head, at: writing.time(notBefore: .distantPast), writing.db)
        }
    }
}
