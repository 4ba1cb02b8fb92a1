package import Counting
package import NIOCore
package import NIOHTTP1

/// The connections of the private listener: limited like those of the public listener, with longer timeouts.
package final class PrivateConnections: Sendable {
    private let registries: [ObjectIdentifier: NIOLoopBound<ConnectionRegistry>]
    private let refused = CaseCounters<RefusedConnection>()
    private let limit: ConnectionLimit

    package init(group: any EventLoopGroup, limit: ConnectionLimit) async throws {
        var registries: [ObjectIdentifier: NIOLoopBound<ConnectionRegistry>] = [:]
        for loop in group.makeIterator() {
            registries[ObjectIdentifier(loop)] = try await loop.submit { [refused] in
                NIOLoopBound(
                    ConnectionRegistry(loop: loop, limit: limit, timeout: .long, refused: refused), eventLoop: loop)
            }.get()
        }
        self.registries = registries
        self.limit = limit
    }

    /// Sets up the pipeline of `channel`. Called on its event loop, which must be one of the group's.
    ///
    /// - Parameters:
    ///   - limits: the limits of the HTTP/1 decoder.
    ///   - maximumRest: how many bytes of a body are still read after its request was answered.
    ///   - addRouter: adds the handlers of requests, as parts of HTTP/1, at the end of the pipeline.
    package func configure(
        _ channel: any Channel, limits: NIOHTTPDecoderLimitConfiguration, maximumRest: Int,
        addRouter: (any Channel) throws -> Void
    ) throws {
        guard let registry = registries[ObjectIdentifier(channel.eventLoop)]?.value else {
            throw ConnectionSetupError.foreignLoop
        }
        let pipeline = RouterPipeline(
            registry: registry, limits: limits, takesUnescapedQueries: false, maximumRest: maximumRest,
            marksLateBodies: true)
        let idle = ConnectionIdleHandler(registry: registry, connection: pipeline.gate)
        try channel.pipeline.syncOperations.addHandler(idle)
        try pipeline.add(to: channel, observer: MalformedCounter(refused: refused), addRouter: addRouter)
    }

    /// From now on, connections end with their next answer.
    package func beginLeaving() {
        for registry in registries.values { registry.eventLoop.execute { registry.value.beginLeaving() } }
    }

    /// Tells all connections that the server is about to end.
    package func quiesce() {
        for registry in registries.values { registry.eventLoop.execute { registry.value.quiesce() } }
    }

    package var openCount: Int { limit.openCount }
}

/// Counts connections that end because their input is malformed.
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
