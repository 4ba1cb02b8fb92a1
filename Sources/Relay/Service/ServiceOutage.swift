import Logging
import Synchronization

/// Logs once for the process that the service does not answer, however many organizations find that, and once that it
/// answers again.
final class ServiceOutage: Sendable {
    /// Guards whether the service answered last; held to read or change it.
    private let isOut = Mutex(false)
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    /// A request had no answer.
    func begin(_ error: String) {
        guard change(to: true) else { return }
        logger.error("the service does not answer", metadata: ["error": "\(error)"])
    }

    /// A request had an answer, with any content.
    func end() {
        guard change(to: false) else { return }
        logger.notice("the service answers again")
    }

    /// - Returns: whether it was otherwise before.
    private func change(to value: Bool) -> Bool {
        isOut.withLock { isOut in
            defer { isOut = value }
            return isOut != value
        }
    }
}
