import Glibc
import HTTPConnections
import Logging
import NIOCore
import Redirect

/// A handler of a listening socket: accepts no more connections than the limit, survives an accept that fails for lack
/// of descriptors or memory, and loses no connection when the socket is closed. Other connections wait in the kernel's
/// queue.
final class AcceptGuard: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    /// How soon it checks again whether there is room.
    private static let pause = TimeAmount.milliseconds(20)
    /// Temporary errors of `accept`: accept(2).
    private static let passing = [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let limit: ConnectionLimit
    private let sockets: OpenSockets
    /// The event loops of accepted connections.
    private let group: any EventLoopGroup
    private let logger: Logger
    private var isPaused = false
    private var isReadHeld = false
    private var hasFailed = false
    private var isClosing = false

    init(limit: ConnectionLimit, sockets: OpenSockets, group: any EventLoopGroup, logger: Logger) {
        self.limit = limit
        self.sockets = sockets
        self.group = group
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        limit.accept()
        sockets.opened()
        unwrapInboundIn(data).closeFuture.whenComplete { [limit, sockets] _ in
            limit.released()
            sockets.closed()
        }
        hasFailed = false
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if limit.isReached { pause(context) }
        if isPaused || isClosing {
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

    /// Accepts no more, and closes the socket once the accepted connections have their handlers.
    ///
    /// An accepted connection goes from this loop to its own and back, once for its options and once for its handlers.
    /// SwiftNIO drops it, unanswered, if the listening socket is closed meanwhile.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        isClosing = true
        // Without it a read that was requested already would accept more.
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let (group, loop) = (group, context.eventLoop)
        Self.visitLoops(of: group, from: loop).flatMap { Self.visitLoops(of: group, from: loop) }.whenComplete { _ in
            bound.value.close(mode: mode, promise: promise)
        }
    }

    /// Completes once every event loop of `group` has done its earlier tasks.
    private static func visitLoops(of group: any EventLoopGroup, from loop: any EventLoop) -> EventLoopFuture<Void> {
        .andAllComplete(group.makeIterator().map { $0.submit {} }, on: loop)
    }

    private func pause(_ context: ChannelHandlerContext) {
        guard !isPaused else { return }
        isPaused = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            let (handler, context) = bound.value
            handler.resume(context)
        }
    }

    private func resume(_ context: ChannelHandlerContext) {
        isPaused = false
        guard isReadHeld, !isClosing, context.channel.isActive else { return }
        isReadHeld = false
        read(context: context)
    }
}
