import TestSupport
import Testing

@testable import Redirect

@Suite struct WakeUpSignalTests {
    @Test("a signal that nobody waited for ends the next wait, and only that one")
    func early() async {
        let signal = WakeUpSignal()
        signal.raise()
        signal.raise()
        await signal.wait()
        await signal.wait(atMost: .milliseconds(10))
    }

    @Test("a wait ends by a signal, by its limit and by cancellation")
    func ends() async {
        let signal = WakeUpSignal()
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
        let signal = WakeUpSignal()
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
