import Glibc
package import Logging
import Synchronization
import UnixSignals

/// The signals of a process that serves, from its first moment on: what a signal asks for while the service starts is
/// not lost, and none that is meant for the service ends it by accident.
package final class ProcessSignals: Sendable {
    /// What the running service is asked for.
    enum Request: Sendable {
        case stop
        case reload
    }

    /// What becomes of a signal.
    enum Answer: Equatable {
        /// Ends the process at once: nothing is served yet.
        case end
        case request(Request)
        case ignored
    }

    private struct State {
        var logger: Logger
        var isServing = false
        var isStopAsked = false
    }

    private static let settlingInMicroseconds: UInt32 = 5000

    /// What the running service is asked for, one after the other. Has one reader.
    let requests: AsyncStream<Request>
    private let asked: AsyncStream<Request>.Continuation
    /// Guards how far the service is, and where it logs.
    private let state: Mutex<State>

    /// Takes no signals: for tests.
    init(logger: Logger) {
        (requests, asked) = AsyncStream.makeStream()
        state = Mutex(State(logger: logger))
    }

    /// Takes the signals of this process from now on. Once in a process, before anything that takes its time.
    package static func trapped() async -> ProcessSignals {
        let signals = ProcessSignals(
            logger: Logger(label: "consentlink") { JSONLogHandler(label: $0, logLevel: .info) })
        // What nohup(1) has had ignored stays so.
        let trapped = await UnixSignalsSequence(
            trapping: EarlySignals.handled.filter { $0 != .sighup || !EarlySignals.isIgnored(SIGHUP) })
        Task { for await signal in trapped { signals.take(signal) } }
        return signals
    }

    /// Logs as the settings say, of now on.
    package func log(at level: Logger.Level) { state.withLock { $0.logger.logLevel = level } }

    /// From now on SIGTERM and SIGINT are requests: what is in flight must be finished first.
    func beginServing() { state.withLock { $0.isServing = true } }

    /// Whether the service was asked to end, also after it was asked to start again.
    var isStopAsked: Bool { state.withLock { $0.isStopAsked } }

    static func answer(to signal: UnixSignal, isServing: Bool) -> Answer {
        switch signal {
        case .sigterm, .sigint: isServing ? .request(.stop) : .end
        case .sighup, .sigusr2: .request(.reload)
        default: .ignored
        }
    }

    func take(_ signal: UnixSignal) {
        let (answer, logger) = state.withLock { state in
            let answer = Self.answer(to: signal, isServing: state.isServing)
            if answer == .request(.stop) { state.isStopAsked = true }
            return (answer, state.logger)
        }
        switch answer {
        case .end:
            logger.info("asked to stop by a signal before the start was done")
            // As after a crash: what is stored is whole, and other threads are at work.
            _exit(0)
        case .request(let request): asked.yield(request)
        case .ignored:
            logger.notice("a signal that means nothing to the service is ignored", metadata: ["signal": "\(signal)"])
        }
    }

    /// Keeps the signals back until the program that follows in this process takes them. To be called by the thread that
    /// starts it. Other threads may take one until then: it ends the process at once where it asks for that.
    func hold() {
        state.withLock { $0.isServing = false }
        EarlySignals.take()
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in EarlySignals.handled { sigaddset(&mask, signal.rawValue) }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        // What another thread has read from the kernel it takes within this time.
        usleep(Self.settlingInMicroseconds)
    }
}
