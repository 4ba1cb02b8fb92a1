import NIOCore
import NIOHTTP1

/// Tells the router that the body of a request was not whole when its head came. Data about the caller that is read
/// then, such as its key, may have changed when the body has arrived.
package enum LateBody {
    /// The name of a header that ``LateBodyHandler`` adds to such a request. If a client sends it itself, the caller is
    /// only looked up twice.
    package static let field = "late-body"
}

/// Stands before the router and marks requests whose body did not arrive with the head. For that it holds a head, and
/// what came of the body, until the end of the request or of the read; the router gets nothing before that anyway.
final class LateBodyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// A head, and the parts of its body that came in the same read. Empty if the head was passed on.
    private var held: [HTTPServerRequestPart] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head = part {
            release(context)
        } else if held.isEmpty {
            return context.fireChannelRead(data)
        }
        held.append(part)
        if case .end = part { passOn(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        release(context)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        release(context)
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        release(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        release(context)
        context.fireChannelInactive()
    }

    /// Passes a request on that is not whole.
    private func release(_ context: ChannelHandlerContext) {
        guard case .head(var head) = held.first else { return }
        head.headers.replaceOrAdd(name: LateBody.field, value: "1")
        held[0] = .head(head)
        passOn(context)
    }

    private func passOn(_ context: ChannelHandlerContext) {
        // A part can close the connection, which calls this handler again.
        var parts: [HTTPServerRequestPart] = []
        swap(&parts, &held)
        for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
        parts.removeAll(keepingCapacity: true)
        if held.isEmpty { swap(&parts, &held) }
    }
}
