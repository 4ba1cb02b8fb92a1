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
}
