import Consent
import Cryptography
import Identifiers
import Testing

@testable import Ledger

@Suite("The entry of a look at a recipient")
struct AccessEntryTests {
    private let id: AccessID
    private let reason: AccessReason

    init() throws {
        id = AccessID(try TimeOrderedNumber("3357d7d9f4000001"))
        reason = try AccessReason("complaint \"4711\"")
    }

    @Test("says who, when and at what, and hides whom and why")
    func form() throws {
        let commit = Commitment(InlineArray(repeating: 0xAB))
        let entry = LedgerEntry.access(id: id, who: AccessorName(key: "19aa"), what: .decisions, commit: commit)
        let expected =
            #"{"at":"\#(id.number.timestamp.rfc3339)","commit":"\#(commit.text)","id":"3357d7d9f4000001","#
            + #""type":"access","v":1,"what":"decisions","who":"key:19aa"}"#
        #expect(String(decoding: entry.json, as: UTF8.self) == expected)
        #expect(
            String(decoding: LedgerEntry.accessesForgotten(at: id.number.timestamp, accesses: 3).json, as: UTF8.self)
                == #"{"accesses":3,"at":"\#(id.number.timestamp.rfc3339)","type":"accessesForgotten","v":1}"#)
        #expect(EntrySummary(entry.json[...])?.name == "access 3357d7d9f4000001")
    }

    @Test("is rendered the same from its fields and from what is kept of them", arguments: [true, false])
    func rendering(isKnown: Bool) throws {
        var generator = SecureRandom()
        var renderer = EntryRenderer()
        var committer = CommitmentHasher()
        let recipient = isKnown ? try RecipientID("ana@example.com") : nil
        let who = try AccessorName(account: "é/\"\\")
        let access = AccessEntry(id: id, who: who, what: .timeline, recipient: recipient, reason: reason)
        let salt = Salt(using: &generator)
        renderer.render(access, commitment: .salt(salt))
        let fields = PrivateFields.access(reason: reason, recipient: recipient)
        let commit = committer.commitment(to: fields, salt: salt)
        let entry = LedgerEntry.access(id: id, who: who, what: .timeline, commit: commit).json
        #expect(renderer.fields == fields)
        #expect(renderer.entry == entry)
        #expect(AccessFields(fields[...])?.recipient == recipient)
        let forgotten = AccessEntry(id: id, who: who, what: .timeline, recipient: nil, reason: nil)
        renderer.render(forgotten, commitment: .kept(commit))
        #expect(renderer.entry == entry)
        #expect(renderer.fields.isEmpty)
        renderer.render(forgotten, commitment: .salt(salt))
        #expect(renderer.entry != entry)
    }

    @Test(
        "private fields in any other form are none",
        arguments: [
            #"{"reason":"a"}"#, #"{"reason":"","recipient":null}"#, #"{"reason":" a","recipient":null}"#,
            #"{"reason":"a","recipient":""}"#, #"{"reason":"a","recipient":null,"who":"b"}"#,
            #"{"recipient":null,"reason":"a"}"#, #"{"reason":"a","recipient": null}"#,
            #"{"reason":null,"recipient":null}"#,
        ])
    func fields(_ wrong: String) {
        #expect(AccessFields(Array(wrong.utf8)[...]) == nil)
        #expect(AccessFields(Array(#"{"reason":"a","recipient":null}"#.utf8)[...]) != nil)
    }
}
