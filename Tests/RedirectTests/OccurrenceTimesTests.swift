import Identifiers
import Interactions
import TestSupport
import Testing

@testable import Redirect

/// When an occurrence may have come, by the gaps of its node's clock.
@Suite struct OccurrenceTimesTests {
    private func gap(_ start: Int64, _ end: Int64) -> ClockGap {
        ClockGap(from: .noon + start, through: .noon + end)
    }

    @Test("a time in several gaps came after the beginning of the earliest", arguments: [true, false])
    func overlapping(_ isEarliestFirst: Bool) throws {
        let gaps = [gap(-4000, -1000), gap(-3000, -500), gap(-9000, -8000)]
        let click = SpooledOccurrence(
            id: try #require(InteractionID(rawValue: 1)), occurrence: try .click(at: .noon + -2000))
        let span = OccurrenceTimes().span(of: click, in: isEarliestFirst ? gaps : gaps.reversed(), now: .noon)
        #expect(span == .noon + -4000...(.noon))
    }

    @Test(
        "joined gaps end with the last end, also where one holds the other",
        arguments: [(-5000, -1000, -3000, -2000), (-5000, -3000, -4000, -1000), (-5000, -4000, -2000, -1000)]
            as [(Int64, Int64, Int64, Int64)])
    func joined(_ start: Int64, _ end: Int64, _ otherStart: Int64, _ otherEnd: Int64) {
        let (one, other) = (gap(start, end), gap(otherStart, otherEnd))
        #expect(one.joined(with: other) == gap(-5000, -1000))
        #expect(other.joined(with: one) == gap(-5000, -1000))
    }
}
