import Redirect
import ServiceLifecycle
import UnixSignals

/// Waits for SIGTERM or SIGINT and prepares the end: for a moment all connections are still served and told with their
/// answer that it is the last one, so that a front does not send a request into a connection that is being closed.
///
/// The end of this service ends all others.
struct StopSignal: Service {
    private static let moment = Duration.milliseconds(500)
    private static let look = Duration.milliseconds(10)

    /// Of this moment on, they do not end the process.
    let signals: UnixSignalsSequence
    let redirect: RedirectService
    let api: PrivateConnections

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in signals { break }
        }
        redirect.beginLeaving()
        api.beginLeaving()
        let end = ContinuousClock.now + Self.moment
        while redirect.openConnections + api.openCount > 0, ContinuousClock.now < end {
            try await Task.sleep(for: Self.look)
        }
    }
}
