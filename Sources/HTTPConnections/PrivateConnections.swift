package import Counting
package import NIOCore
import NIOHTTP1

/// The connections of the private listener: limited like those of the public listener, with longer timeouts.
package final class PrivateConnections: ListenerConnections {
    private let registries: ConnectionRegistries
    private let refused = CaseCounters<RefusedConnection>()
    private let limit: ConnectionLimit
    private let maximumRest: Int

    /// - Parameter maximumRest: how many bytes of a body are still read after its request was answered.
    package init(group: any EventLoopGroup, limit: ConnectionLimit, maximumRest: Int) async throws {
        var registries: [NIOLoopBound<ConnectionRegistry>] = []
        for loop in group.makeIterator() {
            let registry = try await loop.submit { [refused] in
                NIOLoopBound(
                    ConnectionRegistry(loop: loop, limit: limit, timeout: .long, refused: refused), eventLoop: loop)
            }.get()
            registries.append(registry)
        }
        self.registries = ConnectionRegistries(registries)
        self.limit = limit
        self.maximumRest = maximumRest
    }

    /// The event loop must be one of the group's. The router is added at once.
    package func configure(_ channel: any Channel, addRouter: @escaping (any Channel) throws -> Void) throws {
        guard let registry = registries[channel.eventLoop] else { throw ConnectionSetupError.foreignLoop }
        let pipeline = RouterPipeline(
            registry: registry, limits: .privateListener, takesUnescapedTargets: false, maximumRest: maximumRest,
            marksLateBodies: true)
        let idle = ConnectionIdleHandler(registry: registry, connection: pipeline.gate)
        try channel.pipeline.syncOperations.addHandler(idle)
        try pipeline.add(to: channel, observer: MalformedCounter(refused: refused), addRouter: addRouter)
    }

    /// From now on, connections end with their next answer.
    package func beginLeaving() { registries.beginLeaving() }

    package func quiesce() { registries.quiesce() }

    package func closeAll() { registries.closeAll() }

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
