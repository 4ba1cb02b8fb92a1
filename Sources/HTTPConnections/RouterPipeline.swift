package import NIOCore
package import NIOHTTP1

/// The handlers of HTTP/1 between the socket of a connection and its router, the same on every listener.
package struct RouterPipeline {
    /// Knows what the router owes the client.
    let gate: RouterGate
    private let decoder: RequestDecoder
    private let marksLateBodies: Bool

    /// - Parameters:
    ///   - limits: the limits of the HTTP/1 decoder.
    ///   - takesUnescapedTargets: whether bytes from 0x80 on in a target are escaped. Otherwise they are refused.
    ///   - maximumRest: how many bytes of a body are still read after its request was answered.
    ///   - marksLateBodies: whether the router is told of requests that were not whole at once, by ``LateBody/field``.
    package init(
        registry: ConnectionRegistry, limits: NIOHTTPDecoderLimitConfiguration, takesUnescapedTargets: Bool,
        maximumRest: Int, marksLateBodies: Bool = false
    ) {
        gate = RouterGate(registry: registry, maximumRest: maximumRest)
        decoder = RequestDecoder(limits: limits, takesUnescapedTargets: takesUnescapedTargets)
        self.marksLateBodies = marksLateBodies
    }

    /// Whether what was given to the decoder ended with a request, and another may follow on the connection. Always
    /// false on a listener that refuses bytes from 0x80 on in targets.
    package var isBetweenRequests: Bool { decoder.isBetweenRequests }

    /// Called on the event loop of `channel`.
    ///
    /// - Parameters:
    ///   - position: where the decoder stands; all other handlers stand at the end.
    ///   - observer: sees the parts of HTTP/1 on the side of the client, answers of the gate included.
    ///   - addRouter: adds the handlers of requests, as parts of HTTP/1, at the end of the pipeline.
    package func add(
        to channel: any Channel, decoding position: ChannelPipeline.SynchronousOperations.Position = .last,
        observer: any ChannelHandler, addRouter: (any Channel) throws -> Void
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoding: [any ChannelHandler] = [ByteToMessageHandler(decoder), FramingGuard(decoder: decoder)]
        try pipeline.addHandlers(decoding, position: position)
        try pipeline.addHandlers([
            HTTPResponseEncoder(), HeadResponseHandler(), observer, gate, ContinueHandler(), PersistenceHandler(),
        ])
        if marksLateBodies { try pipeline.addHandler(LateBodyHandler()) }
        try addRouter(channel)
    }
}
