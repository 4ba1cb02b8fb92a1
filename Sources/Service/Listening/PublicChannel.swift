import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Redirect

/// A connection of the public listener: the redirect, and behind it, from the first other request on, the handlers that
/// Hummingbird puts on its own connections.
struct PublicChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Routed = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// The connection to the router, once there is one; `nil` if the connection ended without one.
        let routed: EventLoopFuture<Routed?>
    }

    let redirect: RedirectService
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let routed = channel.eventLoop.makePromise(of: Routed?.self)
            channel.closeFuture.whenComplete { _ in routed.succeed(nil) }
            try redirect.configure(channel, limits: .publicListener) { channel in
                try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                try channel.pipeline.syncOperations.addHandler(HTTPConnectionStateHandler(logger: logger))
                let connection = try Routed(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                routed.succeed(connection)
            }
            return Value(channel: channel, routed: routed.futureResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let routed = await withTaskCancellationHandler {
            try? await value.routed.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
        if let routed { await handleHTTP(asyncChannel: routed, logger: logger) }
    }
}

extension NIOHTTPDecoderLimitConfiguration {
    /// Many times larger than the requests of browsers.
    fileprivate static var publicListener: Self {
        var limits = Self()
        limits.maxHeaderFieldSize = 16 * 1024
        limits.maxHeaderListSize = 32 * 1024
        limits.maxHeaderFieldCount = 128
        return limits
    }
}
