import Consent
import Identifiers
import TestSupport
import Testing

@testable import Ledger

/// Where a message asks for clicks and opens apart, both decisions about a recipient are entered together.
@Suite("Pairs of decisions about clicks and opens")
struct ActivityPairsTests {
    private static let message: UInt64 = 3

    /// What stands in the ledger: the activity, the recipient, and the milliseconds after noon.
    private typealias Entry = (activity: TrackedActivity?, recipient: String?, time: Int64)

    private func unpaired(
        _ entries: [Entry], purposes: PerActivity<Purpose>? = nil, message: (Int) -> UInt64 = { _ in Self.message }
    ) throws -> UInt64? {
        let purposes = try purposes ?? .apart(clicks: .tracking, opens: Purpose("offers"))
        var pairs = ActivityPairs()
        for (index, entry) in entries.enumerated() {
            let decision = ParsedDecision(
                id: DecisionID(try number(UInt64(index) + 1)), instant: .noon + entry.time, activity: entry.activity,
                reason: .noConsentRecord, enforcement: .restrictive, commit: Commitment(InlineArray(repeating: 1)))
            let fields = try entry.recipient.map {
                PrivateFields.decision(
                    recipient: try RecipientID($0), message: MessageID(try number(message(index))),
                    purpose: purposes[entry.activity ?? .clicks], consent: nil)
            }
            pairs.take(.decision(decision, fields.flatMap { DecisionFields($0[...]) }), at: UInt64(index))
        }
        pairs.finish()
        return pairs.firstUnpaired?.index
    }

    @Test("decisions about both activities, and pairs of those about one, are as they should be")
    func whole() throws {
        #expect(try unpaired([(nil, "ana", 0), (nil, "ana", 0)]) == nil)
        #expect(
            try unpaired([
                (.clicks, "ana", 0), (.opens, "ana", 0), (.clicks, "bo", 0), (.opens, "bo", 0), (nil, "ana", 1),
            ]) == nil)
        // Of somebody erased nothing but the moment is left.
        #expect(try unpaired([(.clicks, nil, 0), (.opens, nil, 0)]) == nil)
    }

    @Test("a decision without its other one is found, wherever it stands")
    func halves() throws {
        let cases: [([Entry], UInt64)] = [
            ([(.clicks, "ana", 0)], 0),
            ([(.opens, "ana", 0)], 0),
            ([(.clicks, "ana", 0), (.clicks, "ana", 0), (.opens, "ana", 0)], 0),
            ([(.clicks, "ana", 0), (.opens, "ana", 0), (.opens, "ana", 0)], 2),
            ([(.clicks, "ana", 0), (nil, "ana", 0), (.opens, "ana", 0)], 0),
            ([(.opens, "ana", 0), (.clicks, "ana", 0)], 0),
            ([(.clicks, "ana", 0), (.opens, "bo", 0)], 0),
            ([(.clicks, "ana", 0), (.opens, "ana", 1)], 0),
            ([(.clicks, nil, 0), (.opens, nil, 1)], 0),
        ]
        for (entries, expected) in cases {
            #expect(try unpaired(entries) == expected, "\(entries)")
        }
        #expect(try unpaired([(.clicks, "ana", 0), (.opens, "ana", 0)]) { UInt64($0) + 7 } == 0, "of two messages")
        let same = PerActivity.together(Purpose.tracking)
        #expect(try unpaired([(.clicks, "ana", 0), (.opens, "ana", 0)], purposes: same) == 0, "of one purpose")
    }

    @Test("an entry of another kind between two decisions parts them")
    func between() throws {
        var pairs = ActivityPairs()
        let clicks = ParsedDecision(
            id: DecisionID(try number(1)), instant: .noon, activity: .clicks, reason: .noConsentRecord,
            enforcement: .restrictive, commit: Commitment(InlineArray(repeating: 1)))
        pairs.take(.decision(clicks, nil), at: 4)
        pairs.take(.enforcement(.restrictive), at: 5)
        #expect(pairs.firstUnpaired == EntryLocation(index: 4, name: "decision 1"))
    }

    private func number(_ value: UInt64) throws -> TimeOrderedNumber {
        try #require(TimeOrderedNumber(rawValue: value))
    }
}
