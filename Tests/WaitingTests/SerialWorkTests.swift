import Synchronization
import Testing

@testable import Waiting

@Suite(.timeLimit(.minutes(1))) struct SerialWorkTests {
    private let work = SerialWork<Int>()
    /// A gate that work waits at until the state is true.
    private let gate = Condition(false) { (isOpen: Bool, _: Bool) in isOpen ? true : nil }
    /// A gate before it, which tells that the work has begun.
    private let begun = Condition(0) { (count: Int, need: Int) in count >= need ? count : nil }

    /// Begins work that ends once the gate is open.
    private func hold(_ key: Int) async -> Task<Void, any Error> {
        let before = begun.state
        let task = Task {
            try await work.run(of: key) { [begun, gate] in
                begun.change { $0 += 1 }
                _ = await gate.wait(for: true)
            }
        }
        _ = await begun.wait(for: before + 1)
        return task
    }

    @Test("work waits for the work of its key, and not for that of another one")
    func keys() async throws {
        let first = await hold(1)
        let hasRun = Mutex(false)
        let second = Task { try await work.run(of: 1) { hasRun.withLock { $0 = true } } }
        #expect(try await work.run(of: 2) { "at once" } == "at once")
        #expect(!hasRun.withLock { $0 })
        gate.change { $0 = true }
        try await first.value
        try await second.value
        #expect(hasRun.withLock { $0 })
    }

    /// Counts the work that runs at the same time.
    private final class Load: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }

        func end() { counts.withLock { $0.now -= 1 } }
    }

    @Test("no two pieces of work of a key run at the same time")
    func alone() async throws {
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { [work] group in
            for _ in 1...100 {
                group.addTask {
                    try await work.run(of: 1) {
                        load.begin()
                        await Task.yield()
                        load.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(load.most == 1)
    }

    @Test("the work after one that fails runs, and each caller gets its own error")
    func failure() async throws {
        struct Refused: Error {}
        await #expect(throws: Refused.self) { try await work.run(of: 1) { throw Refused() } }
        #expect(try await work.run(of: 1) { 2 } == 2)
    }

    @Test("work runs to its end when its caller is cancelled")
    func cancellation() async throws {
        let first = await hold(1)
        let second = Task { try await work.run(of: 1) { Task.isCancelled } }
        first.cancel()
        second.cancel()
        gate.change { $0 = true }
        try await first.value
        #expect(try await second.value == false)
    }

    @Test("nothing is kept of a key whose work has ended")
    func leftovers() async throws {
        let held = await hold(1)
        for key in 2...20 { try await work.run(of: key) {} }
        #expect(work.keyCount == 1)
        gate.change { $0 = true }
        try await held.value
        #expect(work.keyCount == 0)
    }
}
