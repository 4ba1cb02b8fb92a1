import TestSupport
import Testing

@testable import Redirect

@Suite(.timeLimit(.minutes(1))) struct WakeUpSignalTests {
    @Test("a signal that nobody waited for ends the next wait, and only that one")
    func early() async throws {
        let signal = WakeUpSignal()
        signal.raise()
        signal.raise()
        let first = wait(for: signal)
        try #require(await eventually { first.value })
        let second = wait(for: signal)
        try await Task.sleep(for: .milliseconds(100))
        #expect(!second.value)
        signal.raise()
        #expect(await eventually { second.value })
    }

    /// Waits without a limit. The result says whether the wait is over.
    private func wait(for signal: WakeUpSignal) -> Note<Bool> {
        let isOver = Note(false)
        Task {
            await signal.wait()
            isOver.value = true
        }
        return isOver
    }

    @Test("a wait ends by a signal, by its limit and by cancellation")
    func ends() async {
        let signal = WakeUpSignal()
        let first = wait(for: signal)
        try? await Task.sleep(for: .milliseconds(10))
        #expect(!first.value)
        signal.raise()
        #expect(await eventually { first.value })
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
        let signal = WakeUpSignal()
        async let first: Void = signal.wait(atMost: .milliseconds(50))
        try? await Task.sleep(for: .milliseconds(5))
        signal.raise()
        await first
        let second = wait(for: signal)
        try? await Task.sleep(for: .milliseconds(100))
        #expect(!second.value)
        signal.raise()
        #expect(await eventually { second.value })
    }
}
