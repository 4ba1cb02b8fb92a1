import Synchronization
import Testing

@testable import HTTPAPI

struct BackpressureChannelTests {
    private struct Broken: Error {}

    @Test("everything arrives once and in order", arguments: [0, 1, 3])
    func order(_ backlog: Int) async throws {
        let handover = BackpressureChannel<Int>(backlog: backlog)
        async let giving: Void = {
            for number in 0..<1000 { try await handover.give(number) }
            handover.finish()
        }()
        var taken: [Int] = []
        while let some = try await handover.take() { taken += some }
        try await giving
        #expect(taken == Array(0..<1000))
    }

    @Test("the task that gives is never further ahead than the backlog", arguments: [0, 2, 5])
    func backlog(_ backlog: Int) async throws {
        let handover = BackpressureChannel<Int>(backlog: backlog)
        let given = Atomic<Int>(0)
        async let giving: Void = {
            for number in 0..<50 {
                try await handover.give(number)
                given.add(1, ordering: .sequentiallyConsistent)
            }
            handover.finish()
        }()
        var count = 0
        // What is given and not yet waited for is one more than what may wait.
        while let some = try await handover.take() {
            #expect(some.count <= backlog + 1)
            count += some.count
            #expect(given.load(ordering: .sequentiallyConsistent) <= count + backlog + 1)
        }
        try await giving
        #expect(count == 50)
    }

    @Test("what waits can be taken without waiting, and the task that gives goes on")
    func waiting() async throws {
        let handover = BackpressureChannel<Int>(backlog: 1)
        #expect(handover.takeWaiting().isEmpty)
        try await handover.give(1)
        let giving = Task { try await handover.give(2) }
        var taken: [Int] = []
        while taken.count < 2 {
            taken += handover.takeWaiting()
            await Task.yield()
        }
        try await giving.value
        #expect(taken == [1, 2])
        handover.fail(Broken())
        #expect(handover.takeWaiting().isEmpty)
        await #expect(throws: Broken.self) { _ = try await handover.take() }
    }

    @Test("what was given before the end is still taken")
    func end() async throws {
        let handover = BackpressureChannel<Int>(backlog: 2)
        try await handover.give(1)
        handover.finish()
        #expect(try await handover.take() == [1])
        #expect(try await handover.take() == nil)
        #expect(try await handover.take() == nil)
    }

    @Test("a failure wakes a task that waits to take")
    func wakesTaker() async throws {
        let handover = BackpressureChannel<Int>(backlog: 0)
        let taking = Task { try await handover.take() }
        await Task.yield()
        handover.fail(Broken())
        await #expect(throws: Broken.self) { _ = try await taking.value }
    }

    @Test("a failure wakes a task that waits to give, and drops what was given")
    func wakesGiver() async throws {
        let handover = BackpressureChannel<Int>(backlog: 0)
        let giving = Task { try await handover.give(1) }
        await Task.yield()
        handover.fail(Broken())
        await #expect(throws: Broken.self) { try await giving.value }
        await #expect(throws: Broken.self) { _ = try await handover.take() }
        await #expect(throws: Broken.self) { try await handover.give(2) }
    }

    @Test("nothing can be given after the end")
    func givenTooLate() async throws {
        let handover = BackpressureChannel<Int>(backlog: 1)
        handover.finish()
        await #expect(throws: CancellationError.self) { try await handover.give(1) }
    }
}
