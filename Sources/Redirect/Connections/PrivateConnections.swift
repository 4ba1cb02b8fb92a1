package import Counting
package import NIOCore
package import NIOHTTP1

/// The connections of the private listener: bounded and watched as those of the public one, with more patience.
package final class PrivateConnections: Sendable {
    private let rosters: [ObjectIdentifier: NIOLoopBound<ConnectionRoster>]
    private let refused = CaseCounters<RefusedConnection>()
    private let limit: ConnectionLimit

    package init(group: any EventLoopGroup, limit: ConnectionLimit) async throws {
        var rosters: [ObjectIdentifier: NIOLoopBound<ConnectionRoster>] = [:]
        for loop in group.makeIterator() {
            rosters[ObjectIdentifier(loop)] = try await loop.submit { [refused] in
                NIOLoopBound(
                    ConnectionRoster(loop: loop, limit: limit, patience: .long, refused: refused), eventLoop: loop)
            }.get()
        }
        self.rosters = rosters
        self.limit = limit
    }

    /// Puts what all connections have on `channel`. Called on its event loop, which must be one of the group's.
    ///
    /// - Parameters:
    ///   - limits: of the HTTP/1 decoder.
    ///   - maximumRest: how many bytes of a body are read past after its request was answered.
    ///   - addRouter: adds what handles requests, as parts of HTTP/1, at the end of the pipeline.
    package func configure(
        _ channel: any Channel, limits: NIOHTTPDecoderLimitConfiguration, maximumRest: Int,
        addRouter: (any Channel) throws -> Void
    ) throws {
        guard let roster = rosters[ObjectIdentifier(channel.eventLoop)]?.value else {
            throw ConnectionSetupError.foreignLoop
        }
        let decoder = RequestDecoder(limits: limits)
        let gate = RouterGate(roster: roster, maximumRest: maximumRest)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ConnectionWatch(roster: roster, connection: gate))
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(FramingGuard(decoder: decoder))
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(MalformedCounter(refused: refused))
        try pipeline.addHandler(gate)
        try pipeline.addHandler(ContinueHandler())
        try addRouter(channel)
    }

    /// From now on, connections end with their next answer.
    package func beginLeaving() {
        for roster in rosters.values { roster.eventLoop.execute { roster.value.beginLeaving() } }
    }

    /// Tells all connections that the server is about to end.
    package func quiesce() {
        for roster in rosters.values { roster.eventLoop.execute { roster.value.quiesce() } }
    }

    package var openCount: Int { limit.openCount }
}

/// Counts connections that end because what they brought is malformed.
private final class MalformedCounter: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let refused: CaseCounters<RefusedConnection>
    private var isCounted = false

    init(refused: CaseCounters<RefusedConnection>) { self.refused = refused }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, !isCounted {
            isCounted = true
            refused.add(1, .malformed)
        }
        context.fireErrorCaught(error)
    }
}

extension PrivateConnections: MetricSource {
    package var metrics: [MetricFamily] {
        [
            .gauge(
                "consentlink_private_open_connections", "Connections of the private listener.",
                Double(limit.openCount)),
            .counters(
                "consentlink_private_connections_refused_total",
                "Connections of the private listener that were closed before a whole request, or for their number.",
                by: "reason", [refused]),
        ]
    }
}
