import Testing

@testable import Redirect

@Suite struct DrainPaceTests {
    private let start = ContinuousClock.now

    private func observation(_ spooled: Int, after time: Duration) -> DrainPace.Observation {
        DrainPace.Observation(spooled: spooled, moment: start + time)
    }

    @Test(
        "it drains a trickle and rests under load",
        arguments: [(0, .drain), (1, .drain), (500, .drain), (501, .rest), (100_000, .rest)] as [(Int, DrainPace.Step)])
    func load(_ spooled: Int, _ step: DrainPace.Step) {
        var pace = DrainPace(from: observation(0, after: .zero))
        #expect(pace.step(observation(spooled, after: DrainPace.look), backlog: spooled, isAwaited: false) == step)
    }

    @Test("it does not rest while somebody waits")
    func awaited() {
        var pace = DrainPace(from: observation(0, after: .zero))
        #expect(pace.step(observation(100_000, after: DrainPace.look), backlog: 100_000, isAwaited: true) == .drain)
        #expect(pace.step(observation(200_000, after: DrainPace.look * 2), backlog: 200_000, isAwaited: false) == .rest)
    }

    @Test("it does not rest once the spool holds too much")
    func fullSpool() {
        let much = DrainPace.maximumBacklog
        var pace = DrainPace(from: observation(0, after: .zero))
        #expect(pace.step(observation(much - 1, after: DrainPace.look), backlog: much - 1, isAwaited: false) == .rest)
        #expect(
            pace.step(observation(much + 1000, after: DrainPace.look * 2), backlog: much + 1000, isAwaited: false)
                == .drain)
        #expect(
            pace.step(observation(much + 2000, after: DrainPace.look * 3), backlog: much + 1, isAwaited: false)
                == .drain)
    }

    @Test("it catches up when the load is over")
    func afterLoad() {
        var pace = DrainPace(from: observation(0, after: .zero))
        #expect(pace.step(observation(5000, after: DrainPace.look), backlog: 5000, isAwaited: false) == .rest)
        #expect(pace.step(observation(5001, after: DrainPace.look * 2), backlog: 5001, isAwaited: false) == .drain)
    }

    @Test("a look that comes too soon changes nothing: in a moment nobody can tell a rate")
    func tooSoon() {
        var pace = DrainPace(from: observation(0, after: .zero))
        #expect(pace.step(observation(400, after: DrainPace.look / 100), backlog: 400, isAwaited: false) == .drain)
        #expect(pace.step(observation(5000, after: DrainPace.look), backlog: 5000, isAwaited: false) == .rest)
        #expect(pace.step(observation(5000, after: DrainPace.look * 1.01), backlog: 5000, isAwaited: false) == .rest)
    }
}

@Suite struct DrainSignalTests {
    @Test("a signal that nobody waited for ends the next wait, and only that one")
    func early() async {
        let signal = DrainSignal()
        signal.raise()
        signal.raise()
        await signal.wait()
        await signal.wait(atMost: .milliseconds(10))
    }

    @Test("a wait ends by a signal, by its limit and by cancellation")
    func ends() async {
        let signal = DrainSignal()
        async let first: Void = signal.wait()
        try? await Task.sleep(for: .milliseconds(10))
        signal.raise()
        await first
        await signal.wait(atMost: .milliseconds(1))
        let task = Task { await signal.wait() }
        task.cancel()
        await task.value
        let late = Task { await signal.wait() }
        try? await Task.sleep(for: .milliseconds(10))
        late.cancel()
        await late.value
    }

    @Test("the limit of one wait does not end a later one")
    func limits() async {
        let signal = DrainSignal()
        let isOver = Note(false)
        async let first: Void = signal.wait(atMost: .milliseconds(50))
        try? await Task.sleep(for: .milliseconds(5))
        signal.raise()
        await first
        let second = Task {
            await signal.wait()
            isOver.value = true
        }
        try? await Task.sleep(for: .milliseconds(100))
        #expect(!isOver.value)
        signal.raise()
        await second.value
    }
}
