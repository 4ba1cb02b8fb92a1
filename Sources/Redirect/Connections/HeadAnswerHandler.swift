import NIOCore
import NIOHTTP1

/// Stands behind the encoder, which does not know what was asked: it would end an answer of unknown length with a last chunk
/// also where HEAD was asked, and the client would take that for the next answer (RFC 9112, 6.3).
final class HeadAnswerHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Of the requests whose answer has not ended, the oldest first.
    private var methods = CircularBuffer<HTTPMethod>(initialCapacity: 1)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { methods.append(head.method) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), methods.popFirst() == .HEAD else {
            return context.write(data, promise: promise)
        }
        // Nothing is written, and the promise is kept in the order of the others.
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: promise)
    }
}
