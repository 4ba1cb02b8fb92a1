import Identifiers
import Messages
import SQL
import StorageContracts
import TestSupport
import Testing
import Webhooks

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct EndpointEventRowTests {
    /// Each kind of id is counted by itself, so that a message and an endpoint of one millisecond can have the same number.
    @Test("an endpoint hears of a message that has its own number")
    func sameNumber() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let url = try EndpointURL("https://crm.example/hooks")
            _ = try await ports.endpoints.create(
                NewEndpoint(url: url, kinds: [.messageDisabled], includesRecipient: false), secret: [1], in: ports.acme,
                at: .noon)
            let message = try await ports.message()
            try await fixture.storage.database.write { writing in
                try writing.db.statement("UPDATE endpoints SET id = ?").run(message)
            }
            _ = try await ports.messages.setDisabled(true, message: message, in: ports.acme)
            let told = try await fixture.storage.database.write { writing in
                let number = try OrganizationRow.number(of: ports.acme, writing.db)
                let row = try #require(try EndpointRow.readable(of: number, writing.db).first)
                return try EndpointEventRow.next(after: 0, for: row.endpoint, of: number, writing.db).event?.content
            }
            #expect(told == .messageDisabled(message))
        }
    }

    @Test("the events of an endpoint that cannot be read stay until it is put right or removed")
    func damaged() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            var ids: [EndpointID] = []
            for (path, kinds) in [("hooks", [.messageDisabled]), ("others", [.interactionsAvailable])]
                as [(String, Set<EventKind>)]
            {
                let new = NewEndpoint(
                    url: try EndpointURL("https://crm.example/\(path)"), kinds: kinds, includesRecipient: false)
                let made = try await ports.endpoints.create(new, secret: [1], in: ports.acme, at: .noon)
                ids.append(try #require(made).id)
            }
            let id = ids[0]
            func set(state: UInt8) async throws {
                try await fixture.storage.database.write { writing in
                    _ = try writing.db.statement("UPDATE endpoints SET state = ? WHERE id = ?").run(state, id)
                }
            }
            func stored() async throws -> Int? {
                try await fixture.storage.database.read { db in
                    try db.statement("SELECT count(*) FROM endpoint_events").first { Int($0.integer(0)) }
                }
            }
            let first = try await ports.message("first")
            _ = try await ports.messages.setDisabled(true, message: first, in: ports.acme)
            try await set(state: 99)
            for name in ["second", "third"] {
                let message = try await ports.message(name)
                _ = try await ports.messages.setDisabled(true, message: message, in: ports.acme)
            }
            #expect(try await stored() == 3)
            try await set(state: EndpointState.enabled.code)
            let told = try await fixture.storage.database.read { db in
                let number = try OrganizationRow.number(of: ports.acme, db)
                let row = try #require(try EndpointRow.find(id, of: number, db))
                return try EndpointEventRow.next(after: row.event, for: row.endpoint, of: number, db).event?.content
            }
            #expect(told == .messageDisabled(first))
            try await set(state: 99)
            #expect(try await ports.endpoints.remove(id, in: ports.acme))
            #expect(try await stored() == 1, "the last one gives the number of the next")
        }
    }
}
