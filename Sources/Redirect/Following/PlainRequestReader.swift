import NIOCore

/// Takes the decoder's place for as long as a connection brings nothing but plain requests for links, which is nearly
/// always. With the first other request it sets up the decoder and the router, and removes itself.
final class PlainRequestReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let redirect: RedirectHandler
    /// Adds the decoder and the router.
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

    /// - Returns: the length of the request; `nil` when the bytes do not begin with a plain one.
    private func receive(_ bytes: Span<UInt8>) -> Int? {
        guard let plain = PlainRequest(bytes) else { return nil }
        redirect.receive(plain, in: bytes)
        return plain.length
    }

    /// Hands the connection to the decoder, with the bytes that are not read yet.
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
