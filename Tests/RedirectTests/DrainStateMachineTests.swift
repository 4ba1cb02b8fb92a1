import Testing

@testable import Redirect

/// The loop of the drain without spool, store and clock.
@Suite struct DrainStateMachineTests {
    /// A machine and a clock that is moved by hand.
    private struct Loop {
        private static let start = ContinuousClock.now
        var machine = DrainStateMachine(throttle: DrainThrottle(spooled: 0, at: start))
        var time = Duration.zero
        var spooled = 0
        var backlog = 0
        var isAwaited = false

        mutating func next(after passed: Duration = .zero, newClicks: Int = 0) -> DrainStateMachine.Action {
            time += passed
            spooled += newClicks
            backlog += newClicks
            return machine.next(
                DrainThrottle.Observation(
                    spooled: spooled, backlog: backlog, isAwaited: isAwaited, time: Self.start + time))
        }
    }

    private static let interval = DrainThrottle.interval

    @Test("it drains batch after batch while there is something")
    func batches() {
        var loop = Loop()
        for _ in 0..<3 {
            #expect(loop.next() == .drain)
            loop.machine.drained(isEmpty: false)
        }
    }

    @Test("when the spool is empty it waits for a commit, and lets clicks gather before it drains")
    func empty() {
        var loop = Loop()
        for _ in 0..<2 {
            #expect(loop.next() == .drain)
            loop.machine.drained(isEmpty: true)
            #expect(loop.next() == .awaitCommit)
            #expect(loop.next(newClicks: 1) == .rest(Self.interval))
        }
        #expect(loop.next(after: Self.interval) == .drain)
    }

    @Test("after a failure it waits longer each time, up to five seconds, and from the start again after a success")
    func backoff() {
        var loop = Loop()
        func waits(_ count: Int) -> [DrainStateMachine.Action] {
            (0..<count).map { _ in
                #expect(loop.next() == .drain)
                loop.machine.failed()
                return loop.next()
            }
        }
        let milliseconds = [100, 200, 400, 800, 1600, 3200, 5000, 5000]
        #expect(waits(8) == milliseconds.map { .backOff(.milliseconds($0)) })
        #expect(loop.next() == .drain)
        loop.machine.drained(isEmpty: false)
        #expect(waits(2) == [.backOff(.milliseconds(100)), .backOff(.milliseconds(200))])
    }

    @Test("an empty spool ends a series of failures as well")
    func backoffEndsWhenEmpty() {
        var loop = Loop()
        loop.machine.failed()
        #expect(loop.next() == .backOff(Self.interval))
        #expect(loop.next() == .drain)
        loop.machine.drained(isEmpty: true)
        loop.machine.failed()
        #expect(loop.next() == .backOff(Self.interval))
    }

    @Test("under load it rests, and drains when a caller waits or when the load is over")
    func load() {
        var loop = Loop()
        #expect(loop.next(after: Self.interval, newClicks: 1000) == .rest(Self.interval))
        #expect(loop.next(after: Self.interval, newClicks: 1000) == .rest(Self.interval))
        loop.isAwaited = true
        #expect(loop.next() == .drain)
        loop.machine.drained(isEmpty: false)
        loop.isAwaited = false
        #expect(loop.next() == .rest(Self.interval))
        #expect(loop.next(after: Self.interval, newClicks: 1) == .drain)
    }

    @Test("a spool that holds too much is drained under load")
    func fullSpool() {
        var loop = Loop()
        #expect(loop.next(after: Self.interval, newClicks: DrainThrottle.maximumBacklog) == .drain)
    }

    @Test("waiting after a failure is not cut short by load or callers, and load still counts after it")
    func failureUnderLoad() {
        var loop = Loop()
        loop.machine.failed()
        loop.isAwaited = true
        #expect(loop.next(after: Self.interval, newClicks: 1000) == .backOff(Self.interval))
        loop.isAwaited = false
        #expect(loop.next(after: Self.interval, newClicks: 1000) == .rest(Self.interval))
    }
}
