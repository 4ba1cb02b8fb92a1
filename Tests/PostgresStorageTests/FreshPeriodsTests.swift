import Identifiers
import TestSupport
import Testing

@testable import PostgresStorage

@Suite struct FreshPeriodsTests {
    @Test("a period ends by a clock of half pace before the node's freshness does, unless the node is still fresh")
    func ends() {
        let periods = FreshPeriods()
        #expect(!periods.contain(.noon, isFresh: true), "it never was")
        periods.add(from: .noon, left: .seconds(1), isLonger: false)
        #expect(!periods.contain(.noon + -1, isFresh: true))
        #expect(periods.contain(.noon, isFresh: false) && periods.contain(.noon + 499, isFresh: false))
        // By a clock of half pace, these may have come a second after the answer.
        #expect(!periods.contain(.noon + 500, isFresh: false))
        #expect(periods.contain(.noon + 999, isFresh: true))
    }

    @Test("a period that follows one without a break is the same one", arguments: [true, false])
    func longer(_ isLonger: Bool) {
        let periods = FreshPeriods()
        periods.add(from: .noon, left: .seconds(1), isLonger: false)
        periods.add(from: .noon + 700, left: .milliseconds(600), isLonger: isLonger)
        #expect(periods.contain(.noon + 600, isFresh: true) == isLonger)
        #expect(periods.contain(.noon + 999, isFresh: false))
        #expect(!periods.contain(.noon + 1000, isFresh: false))
        periods.add(from: .noon + 9000, left: .zero - .seconds(1), isLonger: false)
        #expect(!periods.contain(.noon + 9000, isFresh: false), "an answer that came too late")
    }
}
