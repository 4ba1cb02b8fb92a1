import Logging
import Synchronization

/// What a handler reports about the administrative act that it carries out: ids, counts and names of settings. Never a
/// recipient, a key, a target, or a text that a caller chose freely.
final class ActDetails: Sendable {
    /// Guards the details: the handler sets them, and the log reads them when the handler is done.
    private let details = Mutex<Logger.Metadata>([:])

    func add(_ name: String, _ value: some CustomStringConvertible) {
        let text = value.description
        details.withLock { $0[name] = .string(text) }
    }

    var metadata: Logger.Metadata { details.withLock { $0 } }
}
