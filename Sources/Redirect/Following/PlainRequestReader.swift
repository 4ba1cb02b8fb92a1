import NIOCore

/// Stands in the decoder's place for as long as a connection brings nothing but plain requests for links, as nearly all
/// that ever carry one do. With the first that is not, the decoder and what is behind it are set up, and this is gone.
final class PlainRequestReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let redirect: RedirectHandler
    /// Puts the decoder here, and the router behind.
    private let setUp: (any Channel) throws -> Void

    init(redirect: RedirectHandler, setUp: @escaping (any Channel) throws -> Void) {
        self.redirect = redirect
        self.setUp = setUp
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        while bytes.readableBytes > 0 {
            let length = bytes.withUnsafeReadableBytes { bytes in
                bytes.withMemoryRebound(to: UInt8.self) { receive($0.span) }
            }
            guard let length else { return stepAside(context, bytes) }
            bytes.moveReaderIndex(forwardBy: length)
        }
    }

    func channelReadComplete(context _: ChannelHandlerContext) { redirect.readComplete() }

    /// - Returns: how long the request was; `nil` when there is no plain one.
    private func receive(_ bytes: Span<UInt8>) -> Int? {
        guard let plain = PlainRequest(bytes) else { return nil }
        redirect.receive(plain.request, token: bytes.extracting(plain.token))
        return plain.length
    }

    /// Gives the connection to the decoder, with what is not read yet.
    private func stepAside(_ context: ChannelHandlerContext, _ rest: ByteBuffer) {
        let channel = context.channel
        do {
            try setUp(channel)
        } catch {
            return context.close(promise: nil)
        }
        redirect.routerAdded()
        let pipeline = channel.pipeline
        pipeline.syncOperations.removeHandler(context: context, promise: nil)
        pipeline.fireChannelRead(rest)
        pipeline.fireChannelReadComplete()
    }
}
