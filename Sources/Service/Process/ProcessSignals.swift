import Glibc
package import Logging
import Synchronization
import UnixSignals

/// The signals of a serving process, from its first moment on: a request by signal while the service starts is not
/// lost, and no signal that is meant for the service ends it by accident.
package final class ProcessSignals: Sendable {
    /// A request to the running service.
    enum Request: Sendable {
        case stop
        case reload
    }

    /// The reaction to a signal.
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

    /// The requests to the running service, in order. Has one reader.
    let requests: AsyncStream<Request>
    private let asked: AsyncStream<Request>.Continuation
    /// Guards how far the service has started, and its logger.
    private let state: Mutex<State>

    /// Handles no signals: for tests.
    init(logger: Logger) {
        (requests, asked) = AsyncStream.makeStream()
        state = Mutex(State(logger: logger))
    }

    /// From now on handles the signals of this process. Once in a process, before anything that takes long.
    package static func trapped() async -> ProcessSignals {
        let signals = ProcessSignals(logger: ProcessLog.logger(.info))
        // A SIGHUP that nohup(1) made ignored stays ignored.
        let trapped = await UnixSignalsSequence(
            trapping: EarlySignals.handled.filter { $0 != .sighup || !EarlySignals.isIgnored(SIGHUP) })
        Task { for await signal in trapped { signals.handle(signal) } }
        return signals
    }

    /// From now on logs at the level of the settings.
    package func log(at level: Logger.Level) { state.withLock { $0.logger.logLevel = level } }

    /// From now on SIGTERM and SIGINT are requests: work in progress must be finished first.
    func beginServing() { state.withLock { $0.isServing = true } }

    /// Whether the service was asked to end, even after it was asked to start again.
    var isStopAsked: Bool { state.withLock { $0.isStopAsked } }

    static func answer(to signal: UnixSignal, isServing: Bool) -> Answer {
        switch signal {
        case .sigterm, .sigint: isServing ? .request(.stop) : .end
        case .sighup, .sigusr2: .request(.reload)
        default: .ignored
        }
    }

    func handle(_ signal: UnixSignal) {
        let (answer, logger) = state.withLock { state in
            let answer = Self.answer(to: signal, isServing: state.isServing)
            if answer == .request(.stop) { state.isStopAsked = true }
            return (answer, state.logger)
        }
        switch answer {
        case .end:
            logger.info("a signal asked the service to stop before its start was done")
            // As after a crash: stored data is complete, and other threads may be working.
            _exit(0)
        case .request(let request): asked.yield(request)
        case .ignored:
            logger.notice("ignored a signal that the service does not use", metadata: ["signal": "\(signal)"])
        }
    }

    /// Holds back the signals until the next program in this process takes them. The thread that starts it must call
    /// this. Until then another thread may take a signal: if the signal asks to end, that ends the process at once.
    func hold() {
        state.withLock { $0.isServing = false }
        EarlySignals.take()
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in EarlySignals.handled { sigaddset(&mask, signal.rawValue) }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        // Another thread handles a signal that it has taken from the kernel within this time.
        usleep(Self.settlingInMicroseconds)
    }
}
