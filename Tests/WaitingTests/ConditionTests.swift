import Testing

@testable import Waiting

@Suite(.timeLimit(.minutes(1))) struct ConditionTests {
    /// Answers a number once the state has reached it.
    private let reached = Condition(0) { (state: Int, need: Int) in state >= need ? state : nil }

    /// Returns once `count` tasks wait.
    private func waits(_ count: Int) async { while reached.waitCount < count { await Task.yield() } }

    @Test("what the state answers already is answered at once, and no wait begins")
    func known() async {
        reached.change { $0 = 3 }
        var hasBegun = false
        #expect(await reached.wait(for: 2) { hasBegun = true } == 3)
        #expect(!hasBegun)
    }

    @Test("a change ends the waits that it answers, and no others")
    func change() async {
        async let first = reached.wait(for: 1)
        async let second = reached.wait(for: 2)
        await waits(2)
        reached.change { $0 = 1 }
        #expect(await first == 1)
        #expect(reached.waitCount == 1)
        reached.change { $0 = 5 }
        #expect(await second == 5)
    }

    @Test("a wait ends without an answer when its time is over, however short that is")
    func limit() async {
        for limit in [Duration.zero, .nanoseconds(1), .milliseconds(1)] {
            #expect(await reached.wait(for: 1, atMost: limit) == nil)
            #expect(reached.waitCount == 0)
        }
    }

    @Test("a task that is cancelled, before it waits or while it does, waits no longer")
    func cancellation() async {
        for isEarly in [true, false] {
            let task = Task {
                if isEarly { while !Task.isCancelled { await Task.yield() } }
                return await reached.wait(for: 1)
            }
            if !isEarly { await waits(1) }
            task.cancel()
            #expect(await task.value == nil)
            #expect(reached.waitCount == 0)
        }
    }

    @Test("a change that throws ends no wait")
    func failure() async {
        struct Refused: Error {}
        async let wait = reached.wait(for: 1)
        await waits(1)
        #expect(throws: Refused.self) {
            try reached.change { state in
                state = 1
                throw Refused()
            }
        }
        #expect(reached.waitCount == 1)
        reached.change { $0 += 1 }
        #expect(await wait == 2)
    }

    @Test("many waits and changes at once all end")
    func many() async {
        let answers = await withTaskGroup(of: Int?.self) { group in
            for need in 1...500 { group.addTask { await reached.wait(for: need, atMost: .seconds(30)) } }
            for _ in 1...500 {
                group.addTask {
                    reached.change { state in
                        state += 1
                        return state
                    }
                }
            }
            return await group.reduce(into: 0) { count, answer in if answer != nil { count += 1 } }
        }
        #expect(answers == 1000)
        #expect(reached.waitCount == 0)
    }
}
