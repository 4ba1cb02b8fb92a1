import Glibc
import Logging
import NIOCore
import Redirect

/// Stands on a listening socket: takes no more connections than the limit, and outlives an accept that fails for want
/// of descriptors or memory. What is not accepted waits in the kernel's queue.
final class AcceptGuard: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    /// How soon it looks again whether there is room.
    private static let pause = TimeAmount.milliseconds(20)
    /// An error of `accept` that passes: accept(2).
    private static let passing = [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let limit: ConnectionLimit
    private let logger: Logger
    private var isPaused = false
    private var isReadHeld = false
    private var hasFailed = false

    init(limit: ConnectionLimit, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        limit.accept()
        unwrapInboundIn(data).closeFuture.whenComplete { [limit] _ in limit.released() }
        hasFailed = false
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if limit.isReached { pause(context) }
        if isPaused {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.passing.contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        if !hasFailed { logger.warning("connections cannot be accepted", metadata: ["errno": "\(error.errnoCode)"]) }
        hasFailed = true
        pause(context)
    }

    private func pause(_ context: ChannelHandlerContext) {
        guard !isPaused else { return }
        isPaused = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            let (handler, context) = bound.value
            handler.goOn(context)
        }
    }

    private func goOn(_ context: ChannelHandlerContext) {
        isPaused = false
        guard isReadHeld, context.channel.isActive else { return }
        isReadHeld = false
        read(context: context)
    }
}
