import Testing

@testable import Redirect

@Suite struct DrainThrottleTests {
    private let start = ContinuousClock.now
    private let interval = DrainThrottle.interval

    private func throttle() -> DrainThrottle { DrainThrottle(spooled: 0, at: start) }

    /// What the drain sees when `spooled` occurrences have come, all of which are still in the spool.
    private func observation(
        _ spooled: Int, after time: Duration, backlog: Int? = nil, isAwaited: Bool = false
    ) -> DrainThrottle.Observation {
        DrainThrottle.Observation(
            spooled: spooled, backlog: backlog ?? spooled, isAwaited: isAwaited, time: start + time)
    }

    @Test(
        "it drains a trickle and rests under load",
        arguments: [(0, false), (1, false), (500, false), (501, true), (100_000, true)])
    func load(_ spooled: Int, _ rests: Bool) {
        var throttle = throttle()
        #expect(throttle.rests(observation(spooled, after: interval)) == rests)
    }

    @Test("it does not rest while a caller waits")
    func awaited() {
        var throttle = throttle()
        #expect(throttle.rests(observation(100_000, after: interval, isAwaited: true)) == false)
        #expect(throttle.rests(observation(200_000, after: interval * 2)) == true)
    }

    @Test("it does not rest once the spool holds too much")
    func fullSpool() {
        let much = DrainThrottle.maximumBacklog
        var throttle = throttle()
        #expect(throttle.rests(observation(much - 1, after: interval)) == true)
        #expect(throttle.rests(observation(much + 1000, after: interval * 2)) == false)
        #expect(throttle.rests(observation(much + 2000, after: interval * 3, backlog: much)) == false)
        #expect(throttle.rests(observation(much + 3000, after: interval * 4, backlog: much - 1)) == true)
    }

    @Test("it catches up when the load is over")
    func afterLoad() {
        var throttle = throttle()
        #expect(throttle.rests(observation(5000, after: interval)) == true)
        #expect(throttle.rests(observation(5001, after: interval * 2)) == false)
    }

    @Test("a look that comes too soon changes nothing: a short time tells no rate")
    func tooSoon() {
        var throttle = throttle()
        #expect(throttle.rests(observation(400, after: interval / 100)) == false)
        #expect(throttle.rests(observation(5000, after: interval)) == true)
        #expect(throttle.rests(observation(5000, after: interval * 1.01)) == true)
    }
}
