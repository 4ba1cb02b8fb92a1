import NIOCore
import NIOHTTP1

/// Stands behind the encoder, which does not know the request's method. The encoder would end an answer of unknown
/// length with a last chunk for HEAD too, and the client would take that chunk for the next answer (RFC 9112, 6.3).
final class HeadResponseHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The methods of the requests whose answer has not ended, the oldest first.
    private var methods = CircularBuffer<HTTPMethod>(initialCapacity: 1)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { methods.append(head.method) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), methods.popFirst() == .HEAD else {
            return context.write(data, promise: promise)
        }
        // Writes no bytes; the promise is completed in the order of the others.
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: promise)
    }
}
