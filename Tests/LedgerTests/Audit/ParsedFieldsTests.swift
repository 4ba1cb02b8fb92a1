import Consent
import Identifiers
import TestSupport
import Testing

@testable import Ledger

@Suite("Reading private fields")
struct ParsedFieldsTests {
    private static let recipients = ["ana@example.com", "\"é\\ 🎁/", "\u{A0}\u{FEFF}", "a\u{2028}b", "x"]

    @Test("gives back whom and what a decision was about", arguments: recipients + [nil])
    func decision(recipient: String?) throws {
        let recipient = try recipient.map { try RecipientID($0) }
        let message = MessageID(try TimeOrderedNumber("3357d7d9f4000003"))
        for consent in [nil, ConsentRecordID(try TimeOrderedNumber("3357d7d9f4000001"))] {
            let written = PrivateFields.decision(
                recipient: recipient, message: message, purpose: try Purpose("offers.by-mail"), consent: consent)
            let read = try #require(DecisionFields(written[...]))
            #expect(read.recipient == recipient && read.message == message && read.consent == consent)
            #expect(read.purpose.description == "offers.by-mail")
            for position in written.indices {
                #expect(changesMeaning(of: read, without: position, in: written))
            }
        }
    }

    @Test("gives back what a consent record said, with and without evidence", arguments: recipients)
    func consent(recipient: String) throws {
        let recipient = try RecipientID(recipient)
        for state in ConsentState.allCases {
            for (end, evidence) in Self.kinds where end == nil || state == .given {
                let written = PrivateFields.consent(try record(state, until: end, evidence), about: recipient)
                let read = try #require(ConsentFields(written[...]))
                #expect(read.recipient == recipient && read.state == state && read.purpose == .tracking)
                #expect(read.occurredAt == .noon && read.validUntil == end)
            }
        }
    }

    @Test("refuses an end of a record that is no grant, and any member that evidence does not have")
    func refused() throws {
        let recipient = try RecipientID("ana")
        let ended = PrivateFields.consent(try record(.refused, until: .noon + 1, nil), about: recipient)
        #expect(ConsentFields(ended[...]) == nil)
        let evidence = ConsentEvidence(method: "form", notice: .init(id: "n"), actor: "subject", language: "de")
        let plain = String(
            decoding: PrivateFields.consent(try record(.given, until: nil, evidence), about: recipient), as: UTF8.self)
        #expect(ConsentFields(Array(plain.utf8)[...]) != nil)
        for (part, other) in [
            (#""actor":"subject""#, #""actor":1"#), (#""actor":"subject""#, #""actor":null"#),
            (#""actor":"subject","language""#, #""language""#.uppercased()), (#""language":"de""#, #""language":null"#),
            (#""language":"de","method":"form""#, #""method":"form","language":"de""#), (#""id":"n""#, #""id":{}"#),
            (#""id":"n""#, #""text":"n""#), (#"{"id":"n"}"#, #""n""#), (#""method":"form""#, #""method": "form""#),
            (#""method":"form""#, #""method":"form","method":"form""#), (#""notice""#, #""notices""#),
            ("\"validUntil\":null", "\"validUntil\":\"2026-11-22\""), ("\"state\":\"given\"", "\"state\":\"asked\""),
            ("\"recipient\":\"ana\"", "\"recipient\":null"), ("\"recipient\":\"ana\"", "\"recipient\":\"\""),
            ("\"recipient\":\"ana\"", "\"recipient\":\"\\u0061na\""), ("tracking", "Tracking!"),
        ] {
            let text = plain.replacing(part, with: other)
            #expect(text != plain, "\(part) does not stand there")
            #expect(ConsentFields(Array(text.utf8)[...]) == nil, "\(text)")
        }
    }

    private static let kinds: [(Timestamp?, ConsentEvidence?)] = [
        (nil, nil), (.noon + 86_400_000, nil), (nil, ConsentEvidence()),
        (
            .noon + 1,
            ConsentEvidence(
                method: "double \"opt-in\"", source: "🎁",
                notice: .init(id: "1", version: "2", language: "de", sha256: "ab"),
                actor: "guardian", language: "pt")
        ),
    ]

    private func record(
        _ state: ConsentState, until end: Timestamp?, _ evidence: ConsentEvidence?
    ) throws -> ConsentRecord {
        ConsentRecord(
            id: ConsentRecordID(try TimeOrderedNumber("3357d7d9f4000001")), purpose: .tracking, state: state,
            occurredAt: .noon, recordedAt: .noon, validUntil: end, evidence: evidence)
    }

    /// Without one of its bytes the text is refused, or says something else and is how the format writes that.
    private func changesMeaning(of read: DecisionFields, without position: Int, in written: [UInt8]) -> Bool {
        var shorter = written
        shorter.remove(at: position)
        guard let other = DecisionFields(shorter[...]) else { return true }
        return PrivateFields.decision(
            recipient: other.recipient, message: other.message, purpose: other.purpose, consent: other.consent)
            == shorter
    }
}
