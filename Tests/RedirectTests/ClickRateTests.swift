import Testing

@testable import Redirect

@Suite struct ClickRateTests {
    @Test("a tracking ID is recorded 100 times at once, then once a second")
    func burstAndRate() {
        let rate = ClickRate()
        #expect((0..<200).filter { _ in rate.consume(1 << 50, at: 1) }.count == 100)
        #expect(!rate.consume(1 << 50, at: 1000))
        #expect(rate.consume(1 << 50, at: 1001))
        #expect(!rate.consume(1 << 50, at: 1001))
        #expect((0..<200).filter { _ in rate.consume(1 << 50, at: 1_000_000) }.count == 100)
    }

    @Test("tracking IDs of one line of the table do not share a bucket")
    func otherIDs() {
        let rate = ClickRate()
        for id in 1...8 as ClosedRange<UInt64> {
            #expect((0..<200).filter { _ in rate.consume(id << 40, at: 1) }.count == 100)
        }
    }

    @Test("a line of the table that is full keeps the busiest and serves every newcomer")
    func fullLine() {
        let rate = ClickRate()
        for id in 1...7 as ClosedRange<UInt64> {
            for _ in 0..<100 { #expect(rate.consume(id << 40, at: 1)) }
        }
        for id in 100...10_000 as ClosedRange<UInt64> { #expect(rate.consume(id << 40, at: 1)) }
        for id in 1...7 as ClosedRange<UInt64> { #expect(!rate.consume(id << 40, at: 1)) }
    }
}
