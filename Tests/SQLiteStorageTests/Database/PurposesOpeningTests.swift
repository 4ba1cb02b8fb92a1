import Consent
import GRDB
import Identifiers
import Ledger
import Messages
import Reports
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Messages and decisions of a file that knew one purpose of a message.
@Suite struct PurposesOpeningTests {
    @Test("a file of the version before says what it said, byte for byte in the ledger, and takes what is new")
    func version() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message(purpose: Purpose("offers"))
            let decided = try await fixture.ports.decide(
                [(.ana, .consentGiven), (.bo, .noConsentRecord)], of: message)
            let entries = try await fixture.ports.entries()
            let counts = try await fixture.ports.report(of: message)
            try await fixture.makeOld(before: Schema.purposes)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            #expect(try await ports.entries() == entries)
            let stored = try await ports.decisions.decisions(matching: DecisionQuery(), limit: 9, in: ports.acme)
            #expect(stored.map(\.id) == decided.map(\.id))
            let offers = try Purpose("offers")
            #expect(stored.allSatisfy { $0.activity == nil && $0.purpose == offers })
            let listed = try await ports.messages.messages(matching: MessageQuery(), limit: 9, in: ports.acme)
            #expect(try listed?.map(\.purposes) == [MessagePurposes(both: Purpose("offers"))])
            #expect(try await ports.report(of: message).people == counts.people)
            #expect(try await ports.message(purpose: Purpose("offers")) == message, "the digest is what it was")
            var content = Message(name: "apart")
            content.purposes = try MessagePurposes(clicks: .tracking, opens: Purpose("offers"))
            let apart = try await ports.messages.save(content, in: ports.acme, at: .noon).message.id
            let made = try await ports.decisions.append(
                TrackedActivity.allCases.map {
                    Decision(recipient: try .ana, activity: $0, verdict: ConsentVerdict(reason: .noConsentRecord))
                }, of: apart, in: ports.acme, asOf: ports.basis(), at: .noon)
            #expect(made.count == 2)
            try await ports.checkTree()
            try reopened.storage.close()
        }
    }
}
