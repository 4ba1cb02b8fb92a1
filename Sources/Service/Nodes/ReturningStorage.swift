import Glibc
import Logging
import ServiceLifecycle

/// Waits until the storage can be used without which the service was started. Then the service starts once more, in the
/// same process and with the same sockets, so that no connection is refused.
struct ReturningStorage: Service {
    /// How often it is asked where the server could not be reached.
    static let usualInterval = Duration.seconds(1)
    /// The same where it answered, and refused something that may be refused again: each start ends what is in flight.
    static let intervalAfterRefusal = Duration.seconds(10)

    var interval = usualInterval
    /// Whether the storage can be used now.
    let isUsable: @Sendable () async -> Bool
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil {
                guard await isUsable() else { continue }
                logger.notice("the database can be used again; the service starts once more, with the same sockets")
                kill(getpid(), SIGUSR2)
                // It is taken at once and ends this, unless the service cannot start again: then it is asked to later.
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }
}
