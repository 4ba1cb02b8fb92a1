import Consent
import Identifiers
import LedgerSamples
import Testing

@testable import Ledger

/// An export is of one moment, also while recipients are erased.
@Suite("What is erased while an export is made")
struct ErasedOpeningsTests {
    @Test("is found again for an export that began before the erasure, and for no later one")
    func restored() throws {
        let item = try SampleLedger(12).items()[8]
        let opening = try #require(item.opening)
        let erased = item.opened(by: nil)
        let openings = ErasedOpenings(areOfAllNodes: true)
        #expect(openings.restored(erased, at: 12) == erased)
        openings.add(opening, of: item.leaf, at: 12)
        #expect(openings.restored(erased, at: 12) == item)
        #expect(openings.restored(erased, at: 11) == item)
        #expect(openings.restored(erased, at: 13) == erased)
        #expect(openings.restored(erased.at(9), at: 12) == erased.at(9))
        // What is still there is not replaced, and an event has nothing to restore.
        let other = try SampleLedger(12, seed: 2).items()[8].at(8)
        #expect(openings.restored(other, at: 12) == other)
        let event = LedgerItem(leaf: 8, subject: .event, entry: item.entry, opening: nil)
        #expect(openings.restored(event, at: 12) == event)
    }

    @Test("of more than 64 MiB nothing is kept, and the export cannot be completed")
    func full() throws {
        let item = try SampleLedger(12).items()[8]
        let salt = try #require(item.opening).salt
        let openings = ErasedOpenings(areOfAllNodes: true)
        let large = LedgerItem.Opening(salt: salt, fields: [UInt8](repeating: 0x20, count: 1 << 20))
        for leaf in 0..<63 { openings.add(large, of: UInt64(leaf), at: 100) }
        #expect(!openings.isFull)
        openings.add(large, of: 63, at: 100)
        #expect(openings.isFull)
        openings.add(LedgerItem.Opening(salt: salt, fields: []), of: 8, at: 100)
        #expect(openings.isFull)
        let erased = item.opened(by: nil)
        #expect(openings.restored(erased, at: 12) == erased)
    }
}
