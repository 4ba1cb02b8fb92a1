import HTTPConnections
package import NIOCore
import NIOHTTP1

/// The redirect, ready to be put into the pipelines of a server's connections.
package final class RedirectService: Sendable {
    /// The worker of each event loop. Constant, and read for every connection.
    private let workers: [ObjectIdentifier: NIOLoopBound<RedirectWorker>]
    private let registries: ConnectionRegistries
    /// How many bytes of a body are still read after its request was answered.
    private static let maximumRest = 64 * 1024
    package let metrics: RedirectMetrics
    /// Limits how often a tracking ID is recorded, for links and for the image in a mail.
    package let rate: ClickRate
    /// Counts openings that are not recorded.
    package let opens = RedirectCounters()
    /// The recent reports of devices, on all event loops and by the routes.
    package let reportDeduplicator: ReportDeduplicator
    /// Counts the reports of devices that the routes answer.
    package let routedReports = DeviceReportCounters()
    package let reportMetrics: DeviceReportMetrics
    private let limit: ConnectionLimit

    /// - Parameters:
    ///   - reportDeduplicator: the drain tells it which reports it drops.
    ///   - times: counts and times the requests that are answered in place of the router.
    package init(
        group: any EventLoopGroup, _ resources: RedirectResources,
        reportDeduplicator: ReportDeduplicator = ReportDeduplicator(), times: (any AnsweredRouteTimes)? = nil
    ) async throws {
        let rate = ClickRate()
        var workers: [ObjectIdentifier: NIOLoopBound<RedirectWorker>] = [:]
        var registries: [NIOLoopBound<ConnectionRegistry>] = []
        var all: [RedirectCounters] = []
        var reports: [DeviceReportCounters] = []
        for loop in group.makeIterator() {
            let counters = RedirectCounters()
            all.append(counters)
            let recording = ReportRecording(deduplicator: reportDeduplicator, counters: DeviceReportCounters())
            reports.append(recording.counters)
            let (worker, registry) = try await loop.submit {
                let worker = try RedirectWorker(
                    loop: loop, resources, counters: counters, rate: rate, reports: recording, times: times)
                return (NIOLoopBound(worker, eventLoop: loop), NIOLoopBound(worker.registry, eventLoop: loop))
            }.get()
            workers[ObjectIdentifier(loop)] = worker
            registries.append(registry)
        }
        self.workers = workers
        self.registries = ConnectionRegistries(registries)
        self.reportDeduplicator = reportDeduplicator
        limit = resources.limit
        self.rate = rate
        metrics = RedirectMetrics(counters: all + [opens], limit: resources.limit)
        reportMetrics = DeviceReportMetrics(counters: reports + [routedReports])
    }

    package var openConnections: Int { limit.openCount }

    /// Puts the redirect on a connection of `worker`'s event loop.
    static func configure(
        _ channel: any Channel, worker: RedirectWorker, addRouter: @escaping (any Channel) throws -> Void
    ) throws {
        let redirect = RedirectHandler(worker: worker)
        let reader = PlainRequestReader(redirect: redirect) { channel in
            let pipeline = RouterPipeline(
                registry: worker.registry, limits: .publicListener, takesUnescapedTargets: true,
                maximumRest: maximumRest)
            try pipeline.add(
                to: channel, decoding: .before(redirect), observer: RouterResponseObserver(redirect: redirect),
                addRouter: addRouter)
            return pipeline
        }
        let activity = ConnectionIdleHandler(registry: worker.registry, connection: redirect)
        try channel.pipeline.syncOperations.addHandler(activity)
        try channel.pipeline.syncOperations.addHandler(reader)
        try channel.pipeline.syncOperations.addHandler(redirect)
        redirect.output.activity = activity
    }
}

extension RedirectService: ListenerConnections {
    /// The event loop must be one of the group's. The router is added with the first request that is not a plain request
    /// for a link, nor a plain report of a device; most connections have none.
    package func configure(_ channel: any Channel, addRouter: @escaping (any Channel) throws -> Void) throws {
        guard let worker = workers[ObjectIdentifier(channel.eventLoop)] else { throw ConnectionSetupError.foreignLoop }
        try Self.configure(channel, worker: worker.value, addRouter: addRouter)
    }

    /// Makes each connection end with its next answer.
    package func beginLeaving() { registries.beginLeaving() }

    package func quiesce() { registries.quiesce() }

    package func closeAll() { registries.closeAll() }
}
