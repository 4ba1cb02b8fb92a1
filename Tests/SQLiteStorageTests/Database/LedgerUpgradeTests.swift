import Consent
import Identifiers
import Ledger
import Messages
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Files from before there were ledgers.
@Suite struct LedgerUpgradeTests {
    @Test("a file of the first version is brought up, with what is in it")
    func migration() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            try await fixture.makeOld(version: 1)
            let reopened = try SQLiteFixture(fixture.folder)
            let before = try #require(try await reopened.ports.messages.message(message))
            #expect(before.links.isEmpty)
            let target = try TargetURL(stored: "https://shop.example/new")
            let link = MailLink(part: .html, target: target, label: nil)
            let added = try await reopened.ports.messages.addLinks([link], to: message, in: reopened.ports.acme)
            let again = try reopened.reopened()
            #expect(try await again.ports.messages.message(message)?.links == added?.compactMap(\.self))
            #expect(added?.count == 1)
            try again.storage.close()
        }
    }

    @Test("what is older than the ledger is not in it; the next thing that happens begins it")
    func ledgerBegins() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let old = try await fixture.ports.record(.given, for: .ana, evidence: ConsentEvidence(method: "form"))
            let decided = try await fixture.ports.decide([(.ana, .consentGiven)], of: message)[0]
            try await fixture.makeOld(before: Schema.ledgers)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            // The organizations are older than their ledgers, which begin now.
            try await reopened.storage.database.write {
                try $0.db.execute(sql: "UPDATE enforcements SET since = since - 86400000")
            }
            #expect(try await ports.ledgers.head(of: ports.acme) == nil)
            let new = try await ports.record(.withdrawn, for: .ana)
            let items = try await ports.ledgers.entries(from: 0, count: 9, in: ports.acme)
            #expect(items.map(\.subject) == [.event, .consent(new.id)])
            #expect(items[0].entry == LedgerEntry.enforcement(at: .noon, .restrictive).json)
            #expect(try await ports.ledgers.entry(of: old.id, in: ports.acme) == nil)
            #expect(try await ports.ledgers.entry(of: decided.id, in: ports.acme) == nil)
            let erased = try await ports.consents.erase(.ana, in: ports.acme)
            #expect(erased == ErasureCounts(consents: 2, decisions: 1, interactions: 0))
            // A verifier counts entries: the entry of the erasure counts those that there are.
            let entered = try await ports.ledgers.entries(from: 2, count: 9, in: ports.acme)
            let counts = ErasureCounts(consents: 1, decisions: 0, interactions: 0)
            #expect(entered.map(\.entry) == [LedgerEntry.erasure(at: .noon, counts).json])
            try await ports.checkTree()
            // As at a start: every organization has its ledger before anything is checked.
            _ = try await reopened.storage.stores.ledgers.begin(at: .noon)
            let found = try await findings(reopened)
            #expect(found == [])
            try reopened.storage.close()
        }
    }

    @Test("the consent feed begins with the records that are older than the ledger")
    func consentFeed() async throws {
        try await withSQLite { fixture in
            let old = try await fixture.ports.record(.given, for: .ana)
            try await fixture.ports.record(.given, for: .bo, in: fixture.ports.globex)
            let alsoOld = try await fixture.ports.record(.given, for: .bo)
            try await fixture.makeOld(before: Schema.ledgers)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            let new = try await ports.record(.withdrawn, for: .ana)
            let all = try #require(try await ports.consents.items(after: nil, limit: 9, in: ports.acme))
            #expect(
                all.map(\.content) == [
                    .recorded(old, recipient: try .ana), .recorded(alsoOld, recipient: try .bo),
                    .recorded(new, recipient: try .ana),
                ])
            for (index, item) in all.enumerated() {
                let rest = try await ports.consents.items(after: item.position, limit: 9, in: ports.acme)
                #expect(rest == Array(all.dropFirst(index + 1)))
            }
            let first = try await ports.consents.items(after: nil, limit: 1, in: ports.acme)
            #expect(first == [all[0]])
            try reopened.storage.close()
        }
    }
}
