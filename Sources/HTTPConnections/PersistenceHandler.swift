import NIOCore
import NIOHTTP1

/// Stands before the router, which takes every connection for HTTP/1.1, and for one that stays open unless it finds
/// exactly `Connection: close`. Adds that field to each request that is the last of its connection (RFC 9112, 9.3). An
/// answer of unknown length to HTTP/1.0 has no chunks (RFC 9112, 6.1): it states version 1.0, and ends with the
/// connection. ``OlderVersion`` tells the router so.
final class PersistenceHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The versions of the requests that have no answer yet, the oldest first.
    private var versions = CircularBuffer<HTTPVersion>(initialCapacity: 1)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        versions.append(head.version)
        guard head.version != .http1_1 || !head.isKeepAlive else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        if head.version != .http1_1 { head.headers.replaceOrAdd(name: OlderVersion.field, value: "1.0") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), !head.isInformational,
            let version = versions.popFirst(), version != .http1_1, !head.headers.contains(name: "content-length")
        else { return context.write(data, promise: promise) }
        head.version = version
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}

extension HTTPResponseHead {
    /// Whether another answer follows it (RFC 9110, 15.2).
    fileprivate var isInformational: Bool { (100..<200).contains(status.code) }
}
