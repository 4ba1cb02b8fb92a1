import Consent
import Identifiers
import Ledger
import TestSupport
import Testing

/// Events that are read from stored bytes.
@Suite struct StoredEventTests {
    @Test("an event says what was written")
    func written() throws {
        let erasure = ErasureCounts(consents: 1, decisions: 2, interactions: 3)
        let entry = LedgerEntry.erasure(at: .noon, erasure).json
        let event = try #require(StoredEvent(entry))
        #expect(event.isErasure && event.instant == .noon && event.erasure == erasure)
        #expect(event.count(.decisions, as: Int64.self) == 2)
        #expect(event.count(.accesses, as: Int64.self) == nil)
        let text = String(decoding: entry, as: UTF8.self)
        #expect(text.contains(StoredEvent.Kind.erasure.text) && text.contains(StoredEvent.Count.consents.text))
    }

    @Test("an event of another kind is no erasure")
    func other() throws {
        let entry = LedgerEntry.enforcement(at: .noon, .restrictive).json
        let event = try #require(StoredEvent(entry))
        #expect(!event.isErasure && event.type == "enforcement" && event.erasure == nil)
        #expect(String(decoding: entry, as: UTF8.self).contains(StoredEvent.Kind.enforcement.text))
    }

    @Test(
        "bytes that were changed lack what they do not say",
        arguments: ["{}", #"{"at":1,"consents":"1","type":2}"#, #"{"at":"soon","consents":-1,"decisions":1.0}"#])
    func changed(_ text: String) throws {
        let event = try #require(StoredEvent(Array(text.utf8)))
        #expect(event.type == nil && event.instant == nil && event.erasure == nil)
    }

    @Test("bytes that are no object are no event", arguments: ["", "[]", "{", "null"])
    func noObject(_ text: String) { #expect(StoredEvent(Array(text.utf8)) == nil) }
}
