package import Identifiers
package import NIOCore
package import NIOHTTP1
package import TrackingIDs

/// The redirect, ready to be put into the pipelines of a server's connections.
package final class RedirectService: Sendable {
    /// By event loop. Made at the start, read for every connection.
    private let workers: [ObjectIdentifier: NIOLoopBound<RedirectWorker>]
    /// How many bytes of a body are read past after its request was answered.
    private static let maximumRest = 64 * 1024
    package let metrics: RedirectMetrics
    /// How often a tracking ID is recorded, here and elsewhere.
    package let rate: ClickRate
    /// Counts what the picture in a mail leaves out.
    package let pictures = RedirectTally()
    private let limit: ConnectionLimit

    package init(
        group: any EventLoopGroup, directory: LinkDirectory, keys: CurrentKeyRing, writer: SpoolWriter,
        limit: ConnectionLimit = ConnectionLimit(),
        clock: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (RedirectFault) -> Void
    ) async throws {
        let rate = ClickRate()
        var workers: [ObjectIdentifier: NIOLoopBound<RedirectWorker>] = [:]
        var tallies: [RedirectTally] = []
        for loop in group.makeIterator() {
            let tally = RedirectTally()
            tallies.append(tally)
            workers[ObjectIdentifier(loop)] = try await loop.submit {
                let worker = try RedirectWorker(
                    loop: loop, directory: directory, keys: keys, writer: writer, limit: limit, tally: tally,
                    rate: rate, clock: clock,
                    report: report)
                return NIOLoopBound(worker, eventLoop: loop)
            }.get()
        }
        self.workers = workers
        self.limit = limit
        self.rate = rate
        metrics = RedirectMetrics(tallies: tallies + [pictures], limit: limit)
    }

    /// Puts the redirect on a connection. Called on the connection's event loop, which must be one of the group's.
    ///
    /// - Parameters:
    ///   - limits: of the HTTP/1 decoder.
    ///   - addRouter: adds what handles the other requests at the end of the pipeline, as parts of HTTP/1. It is called
    ///     on the event loop, when the connection brings something else than links for the first time; for most that is
    ///     never.
    package func configure(
        _ channel: any Channel, limits: NIOHTTPDecoderLimitConfiguration,
        addRouter: @escaping (any Channel) throws -> Void
    ) throws {
        guard let worker = workers[ObjectIdentifier(channel.eventLoop)] else { throw ConnectionSetupError.foreignLoop }
        try Self.configure(channel, worker: worker.value, limits: limits, addRouter: addRouter)
    }

    package var openConnections: Int { limit.openCount }

    /// From now on, connections end with their next answer.
    package func beginLeaving() {
        for worker in workers.values { worker.eventLoop.execute { worker.value.roster.beginLeaving() } }
    }

    /// Tells all connections that the server is about to end.
    package func quiesce() {
        for worker in workers.values { worker.eventLoop.execute { worker.value.roster.quiesce() } }
    }

    /// The same for a worker that is at hand.
    static func configure(
        _ channel: any Channel, worker: RedirectWorker, limits: NIOHTTPDecoderLimitConfiguration,
        addRouter: @escaping (any Channel) throws -> Void
    ) throws {
        let redirect = RedirectHandler(worker: worker)
        let reader = PlainRequestReader(redirect: redirect) { channel in
            let pipeline = channel.pipeline.syncOperations
            let decoder = RequestDecoder(limits: limits)
            try pipeline.addHandler(ByteToMessageHandler(decoder), position: .before(redirect))
            try pipeline.addHandler(FramingGuard(decoder: decoder), position: .before(redirect))
            try pipeline.addHandler(HTTPResponseEncoder())
            try pipeline.addHandler(RouterWatch(redirect: redirect))
            try pipeline.addHandler(RouterGate(roster: worker.roster, maximumRest: maximumRest))
            try pipeline.addHandler(ContinueHandler())
            try addRouter(channel)
        }
        try channel.pipeline.syncOperations.addHandler(ConnectionWatch(roster: worker.roster, connection: redirect))
        try channel.pipeline.syncOperations.addHandler(reader)
        try channel.pipeline.syncOperations.addHandler(redirect)
    }
}
