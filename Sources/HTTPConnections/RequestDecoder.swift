import NIOCore
import NIOHTTP1

/// NIO's HTTP/1 decoder, which continues after a request that offers an upgrade, and takes bytes from 0x80 on in targets.
///
/// After a request that offers an upgrade `HTTPRequestDecoder` decodes nothing more, because it expects another
/// protocol. A server that does not upgrade continues with HTTP/1.1 (RFC 9110, 7.8), so a new decoder replaces the
/// stopped one. ``FramingGuard`` tells it what the decoder found.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    private let limits: NIOHTTPDecoderLimitConfiguration
    private var decoder: HTTPRequestDecoder
    private var isStopped = false
    /// `nil` if bytes from 0x80 on are refused in targets.
    private var escaper: TargetEscaper?
    /// The lines that the escaper moved and the decoder has not read. No part of a request that is given on stays in it.
    private var escaped = ByteBuffer()
    /// Whether the last request was read to its end, and another may come: nothing of one is here. Always false if
    /// targets are not escaped, because the decoder is then given several requests at once.
    private(set) var isBetweenRequests = false

    /// How many bytes the decoder has memory for. For tests.
    var escapedCapacity: Int { escaped.capacity }

    /// - Parameter takesUnescapedTargets: whether bytes from 0x80 on in a target are escaped. Otherwise they are refused.
    init(limits: NIOHTTPDecoderLimitConfiguration, takesUnescapedTargets: Bool) {
        self.limits = limits
        decoder = Self.decoder(limits)
        escaper = takesUnescapedTargets ? TargetEscaper() : nil
    }

    /// The header of the current request is complete.
    /// - Parameter body: what follows; `nil` if the header states no body.
    func readHead(_ body: TargetEscaper.Body?) {
        if let body { escaper?.begin(body) }
    }

    /// The current request is complete.
    /// - Parameters:
    ///   - isStopped: whether the decoder has stopped after it.
    ///   - isLast: whether it is the last one of its connection.
    func readEnd(isStopped: Bool, isLast: Bool) {
        self.isStopped = isStopped
        isBetweenRequests = !isLast && escaper != nil
        escaper?.endRequest()
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard escaper != nil else { return try decodeNext(context: context, buffer: &buffer) }
        while buffer.readableBytes > 0 {
            if var body = escaper?.takeBody(from: &buffer) {
                while case .continue = try decodeNext(context: context, buffer: &body) {}
                continue
            }
            escaper?.move(from: &buffer, to: &escaped)
            while case .continue = try decodeNext(context: context, buffer: &escaped) {}
            // The decoder moves only the index, so the bytes that it has read would stay in memory.
            if escaped.readableBytes == 0 { escaped.clear() }
        }
        return .needMoreData
    }

    private func decodeNext(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        if buffer.readableBytes > 0 { isBetweenRequests = false }
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
        guard escaper != nil else {
            return try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
        }
        return try decoder.decodeLast(context: context, buffer: &escaped, seenEOF: seenEOF)
    }

    func decoderAdded(context: ChannelHandlerContext) { decoder.decoderAdded(context: context) }

    func decoderRemoved(context: ChannelHandlerContext) { decoder.decoderRemoved(context: context) }

    private static func decoder(_ limits: NIOHTTPDecoderLimitConfiguration) -> HTTPRequestDecoder {
        HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
    }
}
