import Consent
import Cryptography
import Identifiers
import Ledger
import Testing

@Suite("Rendering entries one after the other")
struct EntryRendererTests {
    @Test("gives what the entry and the private fields say, whatever was rendered before")
    func decisions() throws {
        var generator = SecureRandom()
        var renderer = EntryRenderer()
        var committer = CommitmentHasher()
        var hasher = TreeHasher()
        let people = try [nil, RecipientID("ana@example.com"), RecipientID("\"é\\ 🎁/"), RecipientID("x")]
        let numbers = try [1, 0xF, 0x10, 0xABC_DEF0_1234_5678, UInt64(Int64.max)].map { try number($0) }
        let purposes = try [Purpose.tracking, Purpose("offers.by-mail")]
        for round in 0..<2000 {
            let id = DecisionID(try #require(numbers.randomElement(using: &generator)))
            let reason = try #require(DecisionReason.allCases.randomElement(using: &generator))
            let enforcement = try #require(Enforcement.allCases.randomElement(using: &generator))
            let activity = try #require([nil, TrackedActivity.clicks, .opens].randomElement(using: &generator))
            let message = MessageID(try #require(numbers.randomElement(using: &generator)))
            let purpose = try #require(purposes.randomElement(using: &generator))
            let recipient = try #require(people.randomElement(using: &generator))
            let consent = round % 3 == 0 ? nil : ConsentRecordID(try #require(numbers.randomElement(using: &generator)))
            let salt = Salt(using: &generator)

            renderer.render(
                id, about: activity, reason: reason, enforcement: enforcement, of: message, purpose: purpose,
                recipient: recipient, consent: consent, commitment: .salt(salt))
            let fields = PrivateFields.decision(
                recipient: recipient, message: message, purpose: purpose, consent: consent)
            let commit = committer.commitment(to: fields, salt: salt)
            let entry = LedgerEntry.decision(
                id: id, activity: activity, reason: reason, enforcement: enforcement, commit: commit
            ).json
            #expect(renderer.fields == fields)
            #expect(renderer.entry == entry)
            let (leaf, expected) = (renderer.leaf(), hasher.leaf(entry))
            #expect(leaf == expected)
            let recommitted = renderer.commitment(under: salt)
            #expect(recommitted == commit)

            renderer.render(
                id, about: activity, reason: reason, enforcement: enforcement, of: message, purpose: purpose,
                recipient: nil, consent: nil, commitment: .kept(commit))
            #expect(renderer.entry == entry)
            #expect(renderer.fields.isEmpty)
        }
    }

    @Test("a consent record is rendered the same from its fields and from what is kept of them")
    func consents() throws {
        var generator = SecureRandom()
        var renderer = EntryRenderer()
        let instant = try Timestamp(rfc3339: "2026-11-21T09:00:00.000Z")
        let record = ConsentRecord(
            id: ConsentRecordID(try number(77)), purpose: .tracking, state: .given, occurredAt: instant,
            recordedAt: instant, validUntil: nil, evidence: nil)
        let salt = Salt(using: &generator)
        renderer.render(record, about: try RecipientID("ana"), commitment: .salt(salt))
        let made = renderer.commitment(under: salt)
        let (commit, entry) = (try #require(made), renderer.entry)
        #expect(
            entry == LedgerEntry.consent(id: record.id, recordedAt: instant, commit: commit).json)
        renderer.render(record, about: nil, commitment: .kept(commit))
        #expect(renderer.entry == entry)
        // Taking the person away without keeping anything makes another entry of it.
        renderer.render(record, about: nil, commitment: .salt(salt))
        #expect(renderer.entry != entry)
        renderer.render(record, about: nil, commitment: .missing)
        #expect(renderer.entry != entry)
    }

    private func number(_ value: UInt64) throws -> TimeOrderedNumber {
        try #require(TimeOrderedNumber(rawValue: value))
    }
}
