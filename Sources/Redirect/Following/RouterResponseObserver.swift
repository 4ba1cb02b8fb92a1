import NIOCore
import NIOHTTP1

/// Tells the redirect handler when the router has answered, so that a link on the same connection waits for its turn.
final class RouterResponseObserver: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let redirect: RedirectHandler

    init(redirect: RedirectHandler) { self.redirect = redirect }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        if case .end = unwrapOutboundIn(data) { redirect.routerAnswered() }
    }
}
