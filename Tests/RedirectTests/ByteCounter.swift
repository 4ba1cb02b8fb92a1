import NIOCore
import TestSupport

/// Counts the bytes that come past it.
final class ByteCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let count: Note<Int>

    init(_ count: Note<Int>) { self.count = count }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count.value += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }
}
