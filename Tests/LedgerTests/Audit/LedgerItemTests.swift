import Consent
import Identifiers
import Ledger
import LedgerSamples
import Testing

@Suite struct LedgerItemTests {
    private func item(_ entry: [UInt8]) -> LedgerItem {
        LedgerItem(leaf: 0, subject: .event, entry: entry, opening: nil)
    }

    @Test(
        "the moment of an event is read, wherever it stands among the members",
        arguments: [
            LedgerEntry.enforcement(at: SampleLedger.instant, .restrictive),
            .erasure(at: SampleLedger.instant, ErasureCounts(consents: 1, decisions: 2, interactions: 3)),
            .purge(at: SampleLedger.instant, decisions: 1, interactions: 0),
            .accessesForgotten(at: SampleLedger.instant, accesses: 1),
        ])
    func events(_ entry: LedgerEntry) {
        #expect(item(entry.json).instant == SampleLedger.instant.rfc3339)
    }

    @Test("every entry of a ledger has a moment")
    func entries() throws {
        for item in try SampleLedger(50).items() {
            let instant = try #require(item.instant)
            #expect(try Timestamp(rfc3339: instant).rfc3339 == instant)
        }
    }

    @Test(
        "what is no entry has none",
        arguments: ["", "{}", "[]", #"{"at":"#, #"{"at":"2026-11-21T09:00:00.000Z""#, #"{"b":"","at":""}"#])
    func noEntry(_ text: String) { #expect(item(Array(text.utf8)).instant == nil) }
}
