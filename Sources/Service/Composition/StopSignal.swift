import Logging
import Redirect
import ServiceLifecycle
import Synchronization
import UseCases

/// Waits until a signal asks the service to end, or to start again, and prepares the end: for a while all connections are
/// still served and told with their answer that it is the last one, so that a front does not send a request into a
/// connection that is being closed.
///
/// The end of this service ends all others. Where it is asked to start again, the process does so
/// (``ProcessReplacement``), with its sockets; unless it could not, then it goes on.
final class StopSignal: Service {
    /// Longer than a front keeps an idle connection (`keepalive_timeout` in Deploy/nginx/consentlink.conf), which thus
    /// is ended by the front.
    private static let linksMoment = Duration.milliseconds(3000)
    private static let apiMoment = Duration.milliseconds(500)
    private static let look = Duration.milliseconds(10)

    let signals: ProcessSignals
    let reload: ReloadCheck
    let logger: Logger
    let redirect: RedirectService
    let api: PrivateConnections
    let sockets: SocketParts
    let storage: StorageParts
    let feeds: FeedWatch
    private let isReload = Atomic(false)

    init(
        signals: ProcessSignals, reload: ReloadCheck, logger: Logger, redirect: RedirectService,
        api: PrivateConnections, sockets: SocketParts, storage: StorageParts, feeds: FeedWatch
    ) {
        self.signals = signals
        self.reload = reload
        self.logger = logger
        self.redirect = redirect
        self.api = api
        self.sockets = sockets
        self.storage = storage
        self.feeds = feeds
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [signals, self] in
            for await request in signals.requests {
                guard request == .reload else { break }
                guard await mayReload() else { continue }
                isReload.store(true, ordering: .relaxed)
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
        if !isRestart { sockets.close() }
        storage.endSoon()
    }

    /// Whether the process is to start again. Who asks it to end meanwhile is obeyed.
    var isRestart: Bool { isReload.load(ordering: .relaxed) && !signals.isStopAsked }

    private func mayReload() async -> Bool {
        do {
            try await reload.run(with: sockets)
            return true
        } catch {
            logger.error(
                "the service cannot start again and goes on as it is; mend this and ask again",
                metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Whether a connection is open for which the end, `elapsed` after the signal, is too early.
    private func isAwaited(for elapsed: Duration) -> Bool {
        redirect.openConnections > 0 || elapsed < Self.apiMoment && api.openCount > 0
    }
}
