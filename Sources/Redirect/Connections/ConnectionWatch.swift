import NIOCore

/// Stands first on a connection and looks at nothing but when something comes and goes: notes when an answer left, and
/// reads no more from a client that does not take what it was answered.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    private let roster: ConnectionRoster
    /// In ticks of the roster.
    let joined: Int
    /// In ticks of the roster; `nil` before the first.
    private(set) var lastAnswer: Int?
    /// Whether something came after the last answer.
    private(set) var isMidRequest = false
    private var isReadHeld = false
    private var context: ChannelHandlerContext?

    init(roster: ConnectionRoster) {
        self.roster = roster
        joined = roster.tick
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        roster.join(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        roster.leave(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isMidRequest = true
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        lastAnswer = roster.tick
        isMidRequest = false
        context.write(data, promise: promise)
    }

    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isReadHeld && context.channel.isWritable {
            isReadHeld = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func close() { context?.close(promise: nil) }
}
