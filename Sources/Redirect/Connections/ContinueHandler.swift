import NIOCore
import NIOHTTP1

/// Asks for the body of a request whose client waits to be asked (RFC 9110, 10.1.1), as old clients of web services do.
///
/// Only where no other answer is awaited: it would stand in that one's place. A client that sent requests ahead does not
/// wait for this one either.
final class ContinueHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var awaited = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            if awaited == 0, head.version == .http1_1, Self.expects(head) {
                let asking = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(asking)), promise: nil)
            }
            awaited += 1
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { awaited -= 1 }
        context.write(data, promise: promise)
    }

    private static func expects(_ head: HTTPRequestHead) -> Bool {
        head.headers["expect"].contains { $0.lowercased() == "100-continue" }
    }
}
