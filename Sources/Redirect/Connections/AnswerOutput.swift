import NIOCore

/// The answers of one connection on their way to the client.
///
/// An answer that is alone in its turn of the event loop leaves through ``AnswerSocket``. Two at once, what the socket
/// does not take, and all that follows either go through SwiftNIO, so the answers keep their order. Belongs to the
/// event loop of its connection.
final class AnswerOutput {
    /// Is told of answers that do not pass it.
    var activity: ConnectionIdleHandler?
    /// `nil` once SwiftNIO writes on the connection.
    private var socket: AnswerSocket?
    /// The only answer of this turn so far.
    private var unsent: ByteBuffer?
    /// Whether SwiftNIO was given an answer in this turn.
    private var needsFlush = false

    /// The connection can be written to.
    func opened(_ channel: any Channel) { socket = AnswerSocket(of: channel) }

    /// The connection is gone.
    func closed() {
        activity = nil
        socket = nil
        unsent = nil
    }

    /// Writes an answer, which leaves with the next ``flush(_:)`` or ``close(_:)``.
    func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard socket == nil || unsent != nil else {
            unsent = bytes
            return
        }
        leaveSocket(context)
        writeThrough(bytes, context)
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

    /// From now on answers go through SwiftNIO, as those of the router do.
    func leaveSocket(_ context: ChannelHandlerContext) {
        socket = nil
        guard let bytes = unsent else { return }
        unsent = nil
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
