import Reports
import Testing

@Suite struct RateTests {
    struct Known: Sendable {
        let count: Int
        let n: Int
        let low: Double
        let high: Double
    }

    /// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I,
    /// method 3; and the first by hand: (1/2 ± 1.96² …) for one of two.
    @Test(
        "the interval is Wilson's",
        arguments: [
            Known(count: 81, n: 263, low: 0.2553, high: 0.3662), Known(count: 15, n: 148, low: 0.0624, high: 0.1605),
            Known(count: 0, n: 20, low: 0, high: 0.1611), Known(count: 1, n: 29, low: 0.0061, high: 0.1718),
            Known(count: 29, n: 29, low: 0.8830, high: 1), Known(count: 1, n: 2, low: 0.0945, high: 0.9055),
        ])
    func wilson(_ known: Known) throws {
        let rate = Rate(known.count, of: known.n)
        let estimate = try #require(rate.estimate)
        #expect(rate.n == known.n)
        #expect(abs(estimate.value - Double(known.count) / Double(known.n)) < 1e-12)
        #expect(abs(estimate.low - known.low) < 0.00006, "\(estimate)")
        #expect(abs(estimate.high - known.high) < 0.00006, "\(estimate)")
    }

    @Test("without recipients there is no rate and no bound")
    func nobody() {
        #expect(Rate(0, of: 0).estimate == nil)
        #expect(Rate(3, of: 0).estimate == nil)
        #expect(Rate(0, of: -1) == Rate(0, of: 0))
        #expect(Bounds(known: 0, unknown: 0, of: 0).range == nil)
    }

    @Test("a rate lies in its interval, which lies between 0 and 1 and gets narrower with more people")
    func interval() throws {
        for n in [1, 2, 7, 1000, 1_000_000] {
            for count in Set([0, 1, n / 3, n - 1, n]) {
                let estimate = try #require(Rate(count, of: n).estimate)
                #expect(0 <= estimate.low && estimate.low <= estimate.value, "\(count) of \(n)")
                #expect(estimate.value <= estimate.high && estimate.high <= 1, "\(count) of \(n)")
                let more = try #require(Rate(count * 10, of: n * 10).estimate)
                #expect(more.high - more.low < estimate.high - estimate.low)
            }
        }
        #expect(Rate(0, of: 9).estimate?.low == 0)
        #expect(Rate(9, of: 9).estimate?.high == 1)
    }

    @Test("more who did it than there are people are all of them")
    func tooMany() {
        #expect(Rate(12, of: 9) == Rate(9, of: 9))
        #expect(Rate(-1, of: 9) == Rate(0, of: 9))
        #expect(Bounds(known: 12, unknown: 3, of: 9) == Bounds(known: 9, unknown: 0, of: 9))
    }

    @Test("bounds are from none to all of those of whom it is not known")
    func bounds() {
        #expect(Bounds(known: 20, unknown: 70, of: 100).range == Bounds.Range(low: 0.2, high: 0.9))
        #expect(Bounds(known: 0, unknown: 100, of: 100).range == Bounds.Range(low: 0, high: 1))
        #expect(Bounds(known: 25, unknown: 0, of: 100).range == Bounds.Range(low: 0.25, high: 0.25))
    }
}
