import Consent
import Identifiers
import Interactions
import Ledger
import Messages
import Organizations
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// A value that is missing where a request needs it: the error or the closed ledger names the row.
@Suite struct NamedDamageTests {
    @Test("composing for a recipient without a reference, alone or with others, names their row", arguments: [1, 2])
    func reference(_ count: Int) async throws {
        let damaged = try await DamagedStorage()
        let row = try #require(try damaged.query("SELECT \(damaged.row(of: damaged.ana))"))
        try damaged.clear("reference", of: "recipients", where: "number = \(row)")
        let (_, ports) = try damaged.fixture.open()
        let recipients = try Array([RecipientID.ana, .bo].prefix(count))
        await #expect(throws: LedgerInconsistency(ports.acme, .derived(.recipient(row)))) {
            _ = try await ports.consents.statuses(of: recipients, for: .tracking, in: ports.acme, at: .noon)
        }
        try damaged.fixture.close()
    }

    @Test("an interaction that cannot be read is named", arguments: ["visitor", "link", "recorded_at", "is_first"])
    func interaction(_ column: String) async throws {
        let damaged = try await DamagedStorage()
        var (_, ports) = try damaged.fixture.open()
        let first = TimeOrderedNumber.lowerBound(at: .noon)
        let clicks = [1, 2].map { SpooledOccurrence.click(first + $0, damaged.message, damaged.ana) }
        try await ports.interactions.store(clicks, at: .noon)
        try damaged.fixture.close()
        try damaged.clear(column, of: "interactions", where: "id = \(clicks[1].id.rawValue)")
        (_, ports) = try damaged.fixture.open()
        await #expect {
            _ = try await ports.interactions.interactions(matching: InteractionQuery(), limit: 9, in: ports.acme)
        } throws: { error in
            "\(error)" == "interaction \(clicks[1].id) has a value that cannot be read"
        }
        try damaged.fixture.close()
    }

    @Test("a key that cannot be read is named, and the keys of others are found")
    func key() async throws {
        let damaged = try await DamagedStorage()
        var (_, ports) = try damaged.fixture.open()
        let digest = StorageUnderTest.key(0).digest
        let key = try #require(try await ports.organizations.key(with: digest))
        try damaged.fixture.close()
        try damaged.clear("scopes", of: "access_keys", where: "id = \(key.id.rawValue)")
        (_, ports) = try damaged.fixture.open()
        let named = "key \(key.id) has a value that cannot be read"
        await #expect { _ = try await ports.organizations.key(with: digest) } throws: { "\($0)" == named }
        await #expect {
            _ = try await ports.organizations.keys(of: ports.acme, after: nil, limit: 9)
        } throws: {
            "\($0)" == named
        }
        #expect(try await ports.organizations.key(with: StorageUnderTest.key(1).digest)?.organization == ports.globex)
        #expect(try await ports.organizations.removeKey(key.id, of: ports.acme))
        #expect(try await ports.organizations.key(with: digest) == nil)
        try damaged.fixture.close()
    }

    @Test("a message that cannot be read closes the ledger, and is named", arguments: ["created_at", "is_disabled"])
    func message(_ column: String) async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear(column, of: "messages", where: "id = \(damaged.message.rawValue)")
        let (_, ports) = try damaged.fixture.open()
        await #expect(throws: UnreadableMessage.self) { _ = try await ports.messages.message(damaged.message) }
        // The check passes over a closed ledger.
        #expect(try await ports.findings() == [])
        try damaged.fixture.close()
    }

    @Test("another organization that asks about a message that cannot be read does not learn whose it is")
    func messageOfAnother() async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear("created_at", of: "messages", where: "id = \(damaged.message.rawValue)")
        let (_, ports) = try damaged.fixture.open()
        let reason = LedgerInconsistency(ports.acme, damaged.unreadableMessage)
        let (acts, decisions) = (
            InteractionQuery(message: damaged.message), DecisionQuery(message: damaged.message)
        )
        await #expect(throws: UnreadableMessage.self) {
            _ = try await ports.interactions.interactions(matching: acts, limit: 9, in: ports.globex)
        }
        await #expect(throws: UnreadableMessage.self) {
            _ = try await ports.decisions.decisions(matching: decisions, limit: 9, in: ports.globex)
        }
        await #expect(throws: reason) {
            _ = try await ports.interactions.interactions(matching: acts, limit: 9, in: ports.acme)
        }
        #expect(try await ports.findings() == [])
        try damaged.fixture.close()
    }

    @Test("interactions with a message that cannot be read hold up those of others until its ledger is closed")
    func interactionsOfMessage() async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear("created_at", of: "messages", where: "id = \(damaged.message.rawValue)")
        for count in [1, 2] {
            let (_, ports) = try damaged.fixture.open()
            let first = TimeOrderedNumber.lowerBound(at: .noon)
            let clicks = (0..<count).map { SpooledOccurrence.click(first + UInt64($0), damaged.message, damaged.ana) }
            await #expect(throws: UnreadableMessage.self) {
                let prepared = try await ports.interactions.prepare(clicks, judgedAsOf: nil)
                _ = try await ports.interactions.store(prepared, at: .noon)
            }
            #expect(try await ports.findings() == [])
            try damaged.fixture.close()
        }
    }

    @Test("an added link that cannot be read keeps no other message out of memory")
    func addedLink() async throws {
        let damaged = try await DamagedStorage()
        try damaged.run(
            """
            INSERT INTO added_links (message, link, url, place)
            VALUES (\(damaged.message.rawValue), 70000, 'https://a.example/', 'a[1]');
            """)
        let (_, ports) = try damaged.fixture.open()
        let page = try await ports.rules.messages(after: nil, limit: 9)
        #expect(page.messages.count == 1)
        #expect(page.messages.first?.id != damaged.message)
        try damaged.fixture.close()
    }
}
