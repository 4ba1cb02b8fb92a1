import Foundation
import Glibc
import Logging
import Synchronization

/// Ends the process, or starts it again, if its orderly end takes too long: something waits that nothing can end.
///
/// It is like a crash: everything acknowledged is stored, and the next start finds the rest in the spool.
final class LastResort: Sendable {
    /// How long the orderly end may take. The guide promises ten seconds.
    static let patience = Duration.seconds(9)

    private enum State {
        case idle
        case waiting
        case over
    }

    private let patience: Duration
    private let logger: Logger
    private let exit: @Sendable (Int32) -> Void
    /// Held while the process ends, so that it ends only once.
    private let state = Mutex(State.idle)

    /// - Parameter exit: ends the process at once.
    init(
        after patience: Duration = LastResort.patience, logger: Logger,
        exit: @escaping @Sendable (Int32) -> Void = { status in _exit(status) }
    ) {
        self.patience = patience
        self.logger = logger
        self.exit = exit
    }

    /// The end begins. Uses a thread of its own: all threads for tasks may be blocked.
    /// - Parameters:
    ///   - isAsked: whether a signal asked for the end. Otherwise a service has failed.
    ///   - restart: replaces the process if it is to start again; otherwise returns.
    func begin(isAsked: @escaping @Sendable () -> Bool, restart: @escaping @Sendable () throws -> Void) {
        let isFirst = state.withLock { state in
            guard case .idle = state else { return false }
            state = .waiting
            return true
        }
        guard isFirst else { return }
        let seconds = patience / .seconds(1)
        Thread.detachNewThread { [self] in
            Thread.sleep(forTimeInterval: seconds)
            state.withLock { state in
                guard case .waiting = state else { return }
                state = .over
                end(isAsked: isAsked(), restart)
            }
        }
    }

    /// The orderly end is done, or nearly.
    func cancel() { state.withLock { $0 = .over } }

    private func end(isAsked: Bool, _ restart: () throws -> Void) {
        logger.error(
            "the orderly end takes too long, so the process ends at once; nothing that was acknowledged is lost",
            metadata: ["seconds": "\(patience / .seconds(1))"])
        do {
            try restart()
        } catch {
            logger.error("the service cannot start again", metadata: ["reason": "\(error)"])
            LogOutput.standardError.flush()
            return exit(1)
        }
        LogOutput.standardError.flush()
        exit(isAsked ? 0 : 1)
    }
}
