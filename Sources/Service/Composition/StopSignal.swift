import Redirect
import ServiceLifecycle
import Synchronization
import UnixSignals
import UseCases

/// Waits for SIGTERM, SIGINT or SIGUSR2 and prepares the end: for a while all connections are still served and told with their
/// answer that it is the last one, so that a front does not send a request into a connection that is being closed.
///
/// The end of this service ends all others. After SIGUSR2 the process starts again (``ProcessReplacement``), with its
/// sockets.
final class StopSignal: Service {
    /// Longer than a front keeps an idle connection (`keepalive_timeout` in Deploy/nginx/consentlink.conf), which thus
    /// is ended by the front.
    private static let linksMoment = Duration.milliseconds(3000)
    private static let apiMoment = Duration.milliseconds(500)
    private static let look = Duration.milliseconds(10)

    /// Of this moment on, they do not end the process.
    let signals: UnixSignalsSequence
    let redirect: RedirectService
    let api: PrivateConnections
    let sockets: SocketParts
    let storage: StorageParts
    let feeds: FeedWatch
    let isRestart = Atomic(false)

    init(
        signals: UnixSignalsSequence, redirect: RedirectService, api: PrivateConnections, sockets: SocketParts,
        storage: StorageParts, feeds: FeedWatch
    ) {
        self.signals = signals
        self.redirect = redirect
        self.api = api
        self.sockets = sockets
        self.storage = storage
        self.feeds = feeds
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [signals, self] in
            for await signal in signals {
                if signal == .sigusr2 { isRestart.store(true, ordering: .relaxed) }
                break
            }
        }
        redirect.beginLeaving()
        api.beginLeaving()
        feeds.end()
        let begin = ContinuousClock.now
        while ContinuousClock.now < begin + Self.linksMoment, isAwaited(for: ContinuousClock.now - begin) {
            try await Task.sleep(for: Self.look)
        }
        if !isRestart.load(ordering: .relaxed) { sockets.close() }
        storage.endSoon()
    }

    /// Whether a connection is open for which the end, `elapsed` after the signal, is too early.
    private func isAwaited(for elapsed: Duration) -> Bool {
        redirect.openConnections > 0 || elapsed < Self.apiMoment && api.openCount > 0
    }
}
