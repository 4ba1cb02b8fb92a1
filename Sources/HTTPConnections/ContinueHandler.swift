import NIOCore
package import NIOHTTP1

/// Answers `Expect: 100-continue` (RFC 9110, 10.1.1): the client sends the body after it, as old clients of web
/// services do.
///
/// Only when no other answer is pending, because it would take that answer's place. A client that pipelines requests
/// does not wait for it either.
final class ContinueHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var awaited = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            if awaited == 0, head.expectsContinue {
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
}

extension HTTPRequestHead {
    /// Whether the client waits for leave to send its body, or for an answer instead.
    package var expectsContinue: Bool {
        version == .http1_1 && headers["expect"].contains { $0.lowercased() == "100-continue" }
    }
}
