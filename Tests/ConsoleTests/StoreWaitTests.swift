import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import Console

@Suite struct StoreWaitTests {
    private struct Failure: StoreFailure {
        let description = "a fault that a test made"
        let isTransient = true
    }

    /// Answers when a test lets it.
    private final class Store: Sendable {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

        var asked: Int { waiting.withLock { $0.count } }

        func ask() async -> Int {
            await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
            return 7
        }

        func answer() { for continuation in waiting.withLock({ $0 }) { continuation.resume() } }
    }

    private let wait = StoreWait(timeout: .milliseconds(20), timeoutWithSilent: .milliseconds(1))

    @Test("what the store says in time is the answer, be it a failure")
    func inTime() async throws {
        let wait = StoreWait(timeout: .seconds(30))
        #expect(try await wait.answer { 7 } == 7)
        await #expect(throws: Failure.self) { try await wait.answer { throw Failure() } }
    }

    @Test("a store that gives no answer is asked 64 times, and again when it has answered")
    func silent() async throws {
        let store = Store()
        for _ in 0..<66 {
            await #expect(throws: StoreWait.Silence.self) { try await wait.answer { await store.ask() } }
        }
        #expect(await eventually { store.asked == 64 })
        store.answer()
        #expect(await eventually { (try? await wait.answer { 7 }) == 7 })
    }
}
