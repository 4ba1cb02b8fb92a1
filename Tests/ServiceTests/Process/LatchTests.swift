import ServiceLifecycle
import Synchronization
import Testing

@testable import Service

/// What waits for the check at a start.
@Suite struct LatchTests {
    @Test("all tasks that wait are let through when it opens, and later ones at once")
    func opens() async {
        let latch = Latch()
        async let first = latch.wait()
        async let second = latch.wait()
        #expect(!latch.isOpen)
        latch.open()
        #expect(await [first, second, latch.wait()] == [true, true, true])
        #expect(latch.isOpen)
    }

    @Test("a task that is cancelled while waiting is told, before or after the wait began")
    func cancelled() async {
        let latch = Latch()
        let waiting = Task { await latch.wait() }
        waiting.cancel()
        #expect(await waiting.value == false)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await latch.wait()
        }
        #expect(await late.value == false)
        #expect(!latch.isOpen)
    }

    /// Notes that it ran.
    private final class NotingService: Service {
        private let hasRun = Mutex(false)
        var ran: Bool { hasRun.withLock { $0 } }
        func run() async { hasRun.withLock { $0 = true } }
    }

    @Test("a service that judges by the ledgers runs when they were checked, and not before", arguments: [true, false])
    func afterTheCheck(isChecked: Bool) async throws {
        let (latch, service) = (Latch(), NotingService())
        let waiting = Task { try await AfterStartCheck(checked: latch, service: service).run() }
        await Task.yield()
        #expect(!service.ran)
        if isChecked { latch.open() } else { waiting.cancel() }
        try await waiting.value
        #expect(service.ran == isChecked)
    }
}
