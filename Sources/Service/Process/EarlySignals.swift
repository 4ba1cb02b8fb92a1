import Glibc
import UnixSignals

/// The signals of a process that cannot handle requests by signal: while it starts, and just before another program
/// replaces it.
package enum EarlySignals {
    /// The signals that a serving process handles.
    static let handled: [UnixSignal] = [.sigterm, .sigint, .sighup, .sigusr1, .sigusr2, .sigalrm]

    /// From now on SIGTERM and SIGINT end the process with 0, because nothing is in progress, and the others do
    /// nothing: the settings that they would reload are not read yet. Until ``ProcessSignals/trapped()`` or
    /// ``EndSignals/init()``.
    ///
    /// Must be called before the first `await` of the process. From then on the main thread takes signals, including
    /// those that the program before it held back.
    package static func take() {
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
        for number in [SIGUSR1, SIGUSR2, SIGALRM] { signal(number) { _ in } }
        // A SIGHUP that nohup(1) made ignored stays ignored.
        if !isIgnored(SIGHUP) { signal(SIGHUP) { _ in } }
    }

    /// Whether the process ignores a signal.
    package static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
