import Glibc
import Logging
import ServiceLifecycle

/// Waits until a storage can be used that was unavailable at the start. Then the service starts once more, in the same
/// process and with the same sockets, so that no connection is refused.
struct StorageRecovery: Service {
    /// How often it asks while the server cannot be reached.
    static let usualInterval = Duration.seconds(1)
    /// The interval if the server answered with a refusal that may repeat, or if it answered and could not be opened in
    /// time: each restart ends the requests in progress.
    static let intervalAfterRefusal = Duration.seconds(10)

    var interval = usualInterval
    /// Whether the storage can be used now.
    let isUsable: @Sendable () async -> Bool
    let attempts: RecoveryAttempts
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil {
                guard await isUsable() else { continue }
                logger.notice("the database can be used again; the service starts again, with the same sockets")
                attempts.begin()
                kill(getpid(), SIGUSR2)
                // The process handles it at once and ends this, unless the service cannot start again: then it asks
                // later.
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}
