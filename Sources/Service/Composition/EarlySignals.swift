import Glibc
import UnixSignals

/// The signals of a process that does not answer to them yet, or no more: while it begins, and just before another program
/// takes its place.
package enum EarlySignals {
    /// What a process answers to that serves.
    static let handled: [UnixSignal] = [.sigterm, .sigint, .sighup, .sigusr1, .sigusr2, .sigalrm]

    /// From now on SIGTERM and SIGINT end the process with 0, for nothing is under way, and the others do nothing: what
    /// they would have read anew is not read yet. Until ``ProcessSignals/trapped()`` or ``EndSignals/init()``.
    ///
    /// To be called before the first `await` of the process. From then on the main thread takes signals, also those that the
    /// program before it held back.
    package static func take() {
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
        for number in [SIGUSR1, SIGUSR2, SIGALRM] { signal(number) { _ in } }
        // What nohup(1) has had ignored stays so.
        if !isIgnored(SIGHUP) { signal(SIGHUP) { _ in } }
    }

    /// Whether the process does not take a signal at all.
    package static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
