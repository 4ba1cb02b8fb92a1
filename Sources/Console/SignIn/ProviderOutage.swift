import Logging
import Synchronization

/// Logs once for each reason that sign-ins through the provider are not possible, and once that they are again.
final class ProviderOutage: Sendable {
    /// Guards the reasons that were logged since a sign-in was last possible; held to read or change them.
    private let reasons = Mutex<Set<String>>([])

    func begin(_ reason: String, _ logger: Logger) {
        guard reasons.withLock({ $0.insert(reason).inserted }) else { return }
        logger.warning("signing in through the provider is not possible", metadata: ["reason": "\(reason)"])
    }

    /// The provider has described an account.
    func end(_ logger: Logger) {
        let wasOut = reasons.withLock { reasons in
            defer { reasons = [] }
            return !reasons.isEmpty
        }
        guard wasOut else { return }
        logger.notice("signing in through the provider is possible again")
    }
}
