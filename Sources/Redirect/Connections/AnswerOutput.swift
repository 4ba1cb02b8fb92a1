import NIOCore

/// The answers of one connection on their way to the client.
///
/// An answer that is alone in its turn of the event loop leaves through ``AnswerSocket``, if SwiftNIO has nothing left
/// to write. All others go through SwiftNIO, so answers keep their order: several in one turn, what the socket does not
/// take, and all once the router answers on the connection, too. So does the first one, for most connections bring one
/// click, and to make the socket costs as much as two answers. Belongs to the event loop of its connection.
final class AnswerOutput {
    /// Is told of answers that do not pass it.
    var activity: ConnectionIdleHandler?
    private var socket: AnswerSocket?
    /// Whether the next answer may leave through ``socket``: SwiftNIO has nothing left to write.
    private var isClear = false
    private var isFirst = true
    private var hasRouter = false
    /// The only answer of this turn so far, which is to leave through ``socket``.
    private var unsent: ByteBuffer?
    /// Whether SwiftNIO was given an answer in this turn.
    private var needsFlush = false

    /// Writes an answer, which leaves with the next ``flush(_:)`` or ``close(_:)``.
    func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if unsent == nil, !needsFlush, isClear || becomesClear(context) {
            unsent = bytes
        } else {
            leaveSocket(context)
            writeThrough(bytes, context)
        }
    }

    func flush(_ context: ChannelHandlerContext) {
        if unsent != nil, !sendUnsent() { leaveSocket(context) }
        guard needsFlush else { return }
        needsFlush = false
        context.flush()
    }

    /// Closes the connection once all answers have left.
    func close(_ context: ChannelHandlerContext) {
        if unsent != nil, sendUnsent() { return context.close(promise: nil) }
        leaveSocket(context)
        needsFlush = false
        // Closing fails what is not written yet, so it waits for the last byte.
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer()))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }

    /// From now on the router answers on the connection, too.
    func routerAdded(_ context: ChannelHandlerContext) {
        hasRouter = true
        leaveSocket(context)
    }

    /// The connection is gone.
    func closed() {
        activity = nil
        socket = nil
        isClear = false
        unsent = nil
    }

    private func becomesClear(_ context: ChannelHandlerContext) -> Bool {
        guard !isFirst, !hasRouter else {
            isFirst = false
            return false
        }
        let channel = context.channel
        guard (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 else { return false }
        socket = socket ?? AnswerSocket(of: channel)
        isClear = socket != nil
        return isClear
    }

    /// SwiftNIO gets the answer of this turn, and the next ones while it has something left to write.
    private func leaveSocket(_ context: ChannelHandlerContext) {
        isClear = false
        guard let bytes = unsent.take() else { return }
        writeThrough(bytes, context)
    }

    private func writeThrough(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        needsFlush = true
        context.write(NIOAny(IOData.byteBuffer(bytes)), promise: nil)
    }

    /// - Returns: whether the kernel has all of it.
    private func sendUnsent() -> Bool {
        guard var bytes = unsent.take(), let socket else { return false }
        activity?.answered()
        guard socket.send(&bytes) else {
            unsent = bytes
            return false
        }
        return true
    }
}
