import Testing

@testable import UseCases

struct RequestAllowanceTests {
    private let start = ContinuousClock.now

    private func taken(_ allowance: inout RequestAllowance, of count: Int, after seconds: Double) -> Int {
        (0..<count).count { _ in allowance.consume(at: start + .seconds(seconds)) == nil }
    }

    @Test("a minute's worth can be taken at once, and no more", arguments: [1, 60, 1000])
    func once(_ perMinute: Int) {
        var allowance = RequestAllowance(perMinute: perMinute, at: start)
        #expect(taken(&allowance, of: perMinute + 5, after: 0) == perMinute)
    }

    @Test("it refills all the time, up to a minute's worth")
    func refilling() {
        var allowance = RequestAllowance(perMinute: 60, at: start)
        #expect(taken(&allowance, of: 100, after: 0) == 60)
        #expect(taken(&allowance, of: 100, after: 10) == 10)
        #expect(taken(&allowance, of: 100, after: 3_600) == 60)
    }

    @Test(
        "who is refused is told after how many seconds the next will be there",
        arguments: [(1, 0.0, 60), (1, 45.5, 15), (60, 0.0, 1), (6, 4.0, 6), (1000, 0.0, 1)])
    func waiting(_ perMinute: Int, _ seconds: Double, _ wait: Int) throws {
        var allowance = RequestAllowance(perMinute: perMinute, at: start)
        _ = taken(&allowance, of: perMinute, after: 0)
        let refusal = allowance.consume(at: start + .seconds(seconds))
        let told = try #require(refusal)
        #expect(told == wait)
        let later = start + .seconds(seconds + Double(told))
        let mayGoOn = allowance.consume(at: later) == nil
        #expect(mayGoOn)
    }

    @Test("a clock that stands still or goes back gives nothing")
    func standingStill() {
        var allowance = RequestAllowance(perMinute: 2, at: start)
        #expect(taken(&allowance, of: 3, after: 0) == 2)
        #expect(taken(&allowance, of: 3, after: -120) == 0)
        #expect(taken(&allowance, of: 3, after: 0) == 0)
    }
}
