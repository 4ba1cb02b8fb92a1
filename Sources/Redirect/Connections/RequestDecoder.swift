import NIOCore
import NIOHTTP1

/// NIO's HTTP/1 decoder, which continues after a request that offers an upgrade.
///
/// After such a request `HTTPRequestDecoder` decodes nothing more, because it expects another protocol. A server that
/// does not upgrade continues with HTTP/1.1 (RFC 9110, 7.8), so a new decoder replaces the stopped one.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    private let limits: NIOHTTPDecoderLimitConfiguration
    private var decoder: HTTPRequestDecoder
    private var isStopped = false

    init(limits: NIOHTTPDecoderLimitConfiguration) {
        self.limits = limits
        decoder = Self.decoder(limits)
    }

    /// The current request is complete, and the decoder has stopped after it.
    func stopped() { isStopped = true }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let state = try decoder.decode(context: context, buffer: &buffer)
        guard isStopped else { return state }
        isStopped = false
        decoder.decoderRemoved(context: context)
        decoder = Self.decoder(limits)
        decoder.decoderAdded(context: context)
        return buffer.readableBytes > 0 ? .continue : .needMoreData
    }

    func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        while buffer.readableBytes > 0, case .continue = try decode(context: context, buffer: &buffer) {}
        return try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    func decoderAdded(context: ChannelHandlerContext) { decoder.decoderAdded(context: context) }

    func decoderRemoved(context: ChannelHandlerContext) { decoder.decoderRemoved(context: context) }

    private static func decoder(_ limits: NIOHTTPDecoderLimitConfiguration) -> HTTPRequestDecoder {
        HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
    }
}
