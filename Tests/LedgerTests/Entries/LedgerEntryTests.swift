import Consent
import Cryptography
import Identifiers
import Ledger
import Testing

@Suite("An entry of the ledger")
struct LedgerEntryTests {
    static let commit = Commitment(InlineArray(repeating: 0xAB))
    static let commitText = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="

    @Test("is canonical JSON: the members in order, nothing between them")
    func json() throws {
        let id = DecisionID(try TimeOrderedNumber("3357d7d9f4000001"))
        let decision = LedgerEntry.decision(
            id: id, reason: .consentGiven, enforcement: .restrictive, commit: Self.commit)
        let at = id.number.timestamp.rfc3339
        #expect(
            String(decoding: decision.json, as: UTF8.self) == """
                {"at":"\(at)","commit":"\(Self.commitText)","enforcement":"restrictive","id":"3357d7d9f4000001",\
                "outcome":"tracked","reason":"consentGiven","type":"decision","v":1}
                """)

        for activity in TrackedActivity.allCases {
            let apart = LedgerEntry.decision(
                id: id, activity: activity, reason: .consentGiven, enforcement: .restrictive, commit: Self.commit)
            let begin = #"{"activity":"\#(activity.rawValue)","#
            #expect(
                String(decoding: apart.json, as: UTF8.self) == begin
                    + String(decoding: decision.json.dropFirst(), as: UTF8.self))
        }

        let instant = try Timestamp(rfc3339: "2026-11-21T09:00:00.000Z")
        let consent = LedgerEntry.consent(
            id: ConsentRecordID(id.number), recordedAt: instant, commit: Self.commit)
        #expect(
            String(decoding: consent.json, as: UTF8.self) == """
                {"at":"2026-11-21T09:00:00.000Z","commit":"\(Self.commitText)","id":"3357d7d9f4000001",\
                "type":"consent","v":1}
                """)

        let erasure = LedgerEntry.erasure(at: instant, ErasureCounts(consents: 1, decisions: 2, interactions: 3))
        #expect(
            String(decoding: erasure.json, as: UTF8.self) == """
                {"at":"2026-11-21T09:00:00.000Z","consents":1,"decisions":2,"interactions":3,"type":"erasure","v":1}
                """)

        let enforcement = LedgerEntry.enforcement(at: instant, .nonRestrictive)
        #expect(
            String(decoding: enforcement.json, as: UTF8.self) == """
                {"at":"2026-11-21T09:00:00.000Z","enforcement":"nonRestrictive","type":"enforcement","v":1}
                """)

        let purge = LedgerEntry.purge(at: instant, decisions: 4, interactions: 5)
        #expect(
            String(decoding: purge.json, as: UTF8.self) == """
                {"at":"2026-11-21T09:00:00.000Z","decisions":4,"interactions":5,"type":"purge","v":1}
                """)
    }

    @Test("commits to the private fields, under its salt alone")
    func commitment() throws {
        let ana = try RecipientID("ana@example.com")
        let message = MessageID(try TimeOrderedNumber("3357d7d9f4000001"))
        let fields = PrivateFields.decision(recipient: ana, message: message, purpose: .tracking, consent: nil)
        #expect(
            String(decoding: fields, as: UTF8.self) == """
                {"consent":null,"message":"3357d7d9f4000001","purpose":"tracking","recipient":"ana@example.com"}
                """)

        var generator = SecureRandom()
        let (salt, other) = (Salt(using: &generator), Salt(using: &generator))
        var committer = CommitmentHasher()
        let first = committer.commitment(to: fields, salt: salt)
        let again = committer.commitment(to: fields, salt: salt)
        let underAnother = committer.commitment(to: fields, salt: other)
        let hmac = try HMACSHA256(key: SecretBytes(salt.bytes.span)).tag(of: fields.span)
        #expect(first == again)
        #expect(first == Commitment(hmac))
        #expect(first != underAnother)
    }

    @Test("the private fields of a consent record are all there, in canonical order")
    func consentFields() throws {
        let instant = try Timestamp(rfc3339: "2026-11-21T09:00:00.000Z")
        let record = ConsentRecord(
            id: ConsentRecordID(try TimeOrderedNumber("1")), purpose: .tracking, state: .given, occurredAt: instant,
            recordedAt: instant, validUntil: nil,
            evidence: ConsentEvidence(
                method: "web-form", source: "https://shop.example/\"é",
                notice: .init(id: "privacy", version: "3", language: "en", sha256: "00"), actor: "subject",
                language: "de"))
        let fields = PrivateFields.consent(record, about: try RecipientID("ana@example.com"))
        #expect(
            String(decoding: fields, as: UTF8.self) == """
                {"evidence":{"actor":"subject","language":"de","method":"web-form",\
                "notice":{"id":"privacy","language":"en","sha256":"00","version":"3"},\
                "source":"https://shop.example/\\"é"},"occurredAt":"2026-11-21T09:00:00.000Z","purpose":"tracking",\
                "recipient":"ana@example.com","state":"given","validUntil":null}
                """)
    }
}
