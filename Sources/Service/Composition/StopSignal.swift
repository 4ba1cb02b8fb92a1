import HTTPAPI
import HTTPConnections
import Logging
import Redirect
import ServiceLifecycle
import Synchronization
import UseCases

/// Waits until a signal asks the service to end, or to start again, and prepares the end. For a while all connections
/// are still served, and each answer says that it is the last one, so that a front does not send a request into a
/// connection that is being closed.
///
/// When this service ends, all others end. For a restart the process then replaces itself (``ProcessReplacement``) and
/// keeps its sockets. If it cannot, the service continues.
final class StopSignal: Service {
    /// Longer than a front keeps an idle connection (`keepalive_timeout` in Deploy/nginx/consentlink.conf), so the
    /// front closes it.
    private static let maximumDelay = Duration.milliseconds(3000)
    /// The time if no front asks whether the service is ready. Otherwise the service stays for the whole time above, in
    /// which the front learns that it ends, and sends new requests elsewhere.
    private static let maximumPrivateDelay = Duration.milliseconds(500)
    /// How often the connections are counted.
    private static let pollInterval = Duration.milliseconds(10)

    let signals: ProcessSignals
    let reload: ReloadCheck
    let logger: Logger
    let redirect: RedirectService
    let privateConnections: PrivateConnections
    let sockets: SocketParts
    let storage: StorageParts
    let feeds: FeedWatch
    let departure: Departure
    /// The lock of the folder, for the next image.
    let lock: InheritedLock
    let lastResort: LastResort
    private let isReload = Atomic(false)

    init(
        signals: ProcessSignals, reload: ReloadCheck, of parts: ServingParts, privateConnections: PrivateConnections,
        departure: Departure, lock: InheritedLock
    ) {
        self.signals = signals
        self.reload = reload
        logger = parts.logger
        redirect = parts.recording.redirect
        self.privateConnections = privateConnections
        sockets = parts.sockets
        storage = parts.stored
        feeds = parts.useCases.watch
        self.departure = departure
        self.lock = lock
        lastResort = LastResort(logger: logger)
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
        lastResort.begin(isAsked: { [self] in isAsked }, restart: { [self] in try replaceProcess() })
        // Also if another service has failed, and this one is cancelled.
        defer { storage.endSoon() }
        redirect.beginLeaving()
        privateConnections.beginLeaving()
        feeds.end()
        let begin = ContinuousClock.now
        while true {
            // Checked each time: a process that is to start again may be asked to end meanwhile.
            if !isRestart { departure.begin() }
            let elapsed = ContinuousClock.now - begin
            guard elapsed < Self.maximumDelay, isAwaited(for: elapsed) else { break }
            try await Task.sleep(for: Self.pollInterval)
        }
        if !isRestart { sockets.close() }
    }

    /// Whether a signal asked for the end, or for a restart.
    var isAsked: Bool { isReload.load(ordering: .relaxed) || signals.isStopAsked }

    /// Whether the process is to start again. A request to end meanwhile has priority.
    var isRestart: Bool { isReload.load(ordering: .relaxed) && !signals.isStopAsked }

    /// Replaces the process if it is to start again; otherwise returns.
    func replaceProcess() throws(ProcessReplacement.Failure) {
        let handOver = { [self] in "\(sockets.handOver()):\(lock.handOver())\(storage.recovery.handOver)" }
        try ProcessReplacement.run(handOver, signals) { isRestart }
    }

    private func mayReload() async -> Bool {
        do {
            try await reload.run(with: sockets) { [signals] in signals.isStopAsked }
            return true
        } catch {
            // The check was given up for a request to stop, which is the next signal.
            guard !signals.isStopAsked else { return false }
            logger.error(
                "the service cannot start again and goes on as it is; correct the error and ask again",
                metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Whether it is too early to end `elapsed` after the signal, because of an open connection or a front that has not
    /// noticed the end.
    private func isAwaited(for elapsed: Duration) -> Bool {
        if !isRestart, departure.isWatched() { return true }
        return redirect.openConnections > 0 || elapsed < Self.maximumPrivateDelay && privateConnections.openCount > 0
    }
}
