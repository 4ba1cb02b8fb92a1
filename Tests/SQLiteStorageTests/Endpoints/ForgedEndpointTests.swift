import GRDB
import Identifiers
import Interactions
import Messages
import SQL
import StorageContracts
import TestSupport
import Testing
import Webhooks

@testable import SQLStorage
@testable import SQLiteStorage

/// Numbers that no version of the service writes, where deliveries are counted and found.
@Suite struct ForgedEndpointTests {
    @Test(
        "an endpoint whose attempts cannot be counted further cannot be read, and ends nothing",
        arguments: ["attempts", "failures"], [Int64.max, -1])
    func counts(_ column: String, _ forged: Int64) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let id = try await endpoint(.messageDisabled, ports)
            try await fixture.storage.database.write { writing in
                try writing.db.execute(sql: "UPDATE endpoints SET \(column) = ?", arguments: [forged])
            }
            try await fixture.storage.database.read { db in
                let number = try OrganizationRow.number(of: ports.acme, db)
                #expect(try EndpointRow.readable(of: number, db).isEmpty)
                #expect(throws: RowError.self) { try EndpointRow.find(id, of: number, db) }
            }
        }
    }

    @Test(
        "an interaction with a position that no node makes hides no other one from endpoints",
        arguments: [Int64(TimeOrderedNumber.endOfMade), .max])
    func position(_ forged: Int64) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            try await ports.interactions.store([.click(1, message, ana), .click(2, message, ana)], at: .noon)
            try await fixture.storage.database.write { writing in
                try writing.db.execute(sql: "UPDATE interactions SET position = ? WHERE id = 2", arguments: [forged])
            }
            let (last, honest) = try await fixture.storage.database.read { db in
                let number = try OrganizationRow.number(of: ports.acme, db)
                let honest = try db.statement("SELECT position FROM interactions WHERE id = 1").first { $0.integer(0) }
                return (try EndpointQueue.lastInteraction(of: number, db), honest)
            }
            #expect(last.map { Int64($0.rawValue) } == honest)
        }
    }

    @Test(
        "an endpoint that was told of a position that no node makes is told of the last interaction again",
        arguments: [Int64(TimeOrderedNumber.endOfMade), .max])
    func told(_ forged: Int64) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let id = try await endpoint(.interactionsAvailable, ports)
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            try await ports.interactions.store([.click(1, message, ana)], at: .noon)
            try await fixture.storage.database.write { writing in
                try writing.db.execute(sql: "UPDATE endpoints SET interaction = ?", arguments: [forged])
            }
            try await fixture.storage.database.read { db in
                let number = try OrganizationRow.number(of: ports.acme, db)
                let row = try #require(try EndpointRow.find(id, of: number, db))
                let last = try #require(try EndpointQueue.lastInteraction(of: number, db))
                let queue = EndpointQueue(organization: number, now: .noon, db: db)
                #expect(try queue.next(row).event?.kind == .interactionsAvailable)
                #expect(last.rawValue > UInt64(row.interaction))
            }
        }
    }

    /// The id of a new endpoint that wants events of one kind.
    private func endpoint(_ kind: EventKind, _ ports: StorageUnderTest) async throws -> EndpointID {
        let new = NewEndpoint(
            url: try EndpointURL("https://crm.example/hooks"), kinds: [kind], includesRecipient: false)
        return try #require(try await ports.endpoints.create(new, secret: [1], in: ports.acme, at: .noon)).id
    }
}
