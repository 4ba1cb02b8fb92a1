import Consent
import GRDB
import Identifiers
import Ledger
import Messages
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The feed of the SQLite storage, which keeps the last changes in memory.
@Suite struct RuleFeedTests {
    @Test("after a restart every cursor from before is replaced")
    func restart() async throws {
        try await withSQLite { fixture in
            let start = try await fixture.storage.stores.rules.snapshot().cursor
            try await fixture.ports.record(.given, for: .ana)
            let head = try await fixture.storage.stores.rules.snapshot().cursor
            let reopened = try fixture.reopened()
            for cursor in [start, head, RuleCursor(position: 0, mark: head.mark)] {
                guard case .replaced = try await reopened.storage.stores.rules.poll(after: cursor) else {
                    Issue.record("\(cursor) is known")
                    continue
                }
            }
            try reopened.storage.close()
        }
    }

    @Test("an organization whose settings cannot be read is not in a snapshot, is closed, and holds up no other")
    func unreadableSettings() async throws {
        try await withSQLite { fixture in
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE organizations SET enforcement = 99 WHERE id = 'acme'")
            }
            let snapshot = try await fixture.storage.stores.rules.snapshot()
            #expect(snapshot.organizations.map(\.organization) == [fixture.ports.globex])
            #expect(fixture.storage.stores.ledgers.inconsistencies.map(\.organization) == [fixture.ports.acme])
        }
    }

    /// `nil` when the cursor is replaced.
}
