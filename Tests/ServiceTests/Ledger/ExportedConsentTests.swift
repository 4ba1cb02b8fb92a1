import Consent
import Cryptography
import Identifiers
import Ledger
import Messages
import SQLStorage
import SQLiteStorage
import Testing
import UseCases

@testable import Service

/// Which consent records are in an audit export of a message.
@Suite struct ExportedConsentTests {
    @Test("an export of a message has the consent records that its decisions rest on, also those before its time")
    func beforeItsTime() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let (stores, acme) = (fixture.storage.stores, fixture.organization)
        let ana = try RecipientID("ana@people.example")
        let consent = try await fixture.record(.given, for: ana)
        _ = try await fixture.record(.given, for: RecipientID("bo@people.example"))
        let decision = try await fixture.decide(ana)
        let ledger = try #require(try await stores.ledgers.head(of: acme))
        let signer = try SignerKey(name: KeyName(ledger.origin), seed: SecretBytes([UInt8](repeating: 1, count: 32)))
        let from = decision.id.number.timestamp
        let archive = AuditArchive(
            organization: acme, checkpoint: signer.sign(ledger.head),
            selection: AuditSelection(recipient: nil, message: fixture.message.id, from: from, to: nil),
            consistency: nil, madeAt: fixture.clock.now(), ledgers: stores.ledgers, decisions: stores.decisions,
            consent: stores.consents, accesses: stores.accesses,
            interactions: LinkedInteractions(interactions: stores.interactions, messages: stores.messages),
            validity: CallerValidity { true }, erased: try await stores.ledgers.keepErased(of: acme))
        guard case .some(let leaves) = try await archive.leaves() else {
            Issue.record("the entries of a message are not adjacent")
            return
        }
        let yes = try #require(try await stores.ledgers.entry(of: consent.id, in: acme)).leaf
        let decided = try #require(try await stores.ledgers.entry(of: decision.id, in: acme)).leaf
        #expect(leaves == [yes, decided])
    }
}
