import HTTPConnections
import NIOCore

/// The answers of one connection on their way to the client.
///
/// An answer that is alone in its turn of the event loop leaves through ``ResponseSocket``, if SwiftNIO has nothing left
/// to write. All others go through SwiftNIO, so answers keep their order: several in one turn, what the socket does not
/// take, and all while the router may answer on the connection, too. The first answer also goes through SwiftNIO,
/// because most connections bring one click, and making the socket costs as much as two answers. Belongs to the event
/// loop of its connection.
final class ResponseOutput {
    /// Is informed of answers that do not pass through it.
    var activity: ConnectionIdleHandler?
    private var route = Route.first
    /// The only answer of this turn so far, which is to leave through the socket.
    private var unsent: ByteBuffer?
    /// Whether SwiftNIO was given an answer in this turn.
    private var needsFlush = false

    /// How an answer leaves that is alone in its turn.
    private enum Route {
        /// Through SwiftNIO, as the first one of the connection.
        case first
        /// Through SwiftNIO while it has something left to write; otherwise through the socket, which may be made.
        case pipeline(ResponseSocket?)
        case socket(ResponseSocket)
        /// Through SwiftNIO, as the router's. The socket may be made already.
        case shared(ResponseSocket?)
    }

    /// Writes an answer, which leaves with the next ``flush(_:)`` or ``close(_:)``.
    func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if unsent == nil, !needsFlush, takesSocket(context) {
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
        guard needsFlush || !Self.hasWrittenAll(of: context.channel) else { return context.close(promise: nil) }
        needsFlush = false
        // Closing fails what is not written yet, so it waits for the last byte.
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer()))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }

    /// Must be called before the router may answer on the connection.
    func share(_ context: ChannelHandlerContext) {
        leaveSocket(context)
        if case .pipeline(let socket) = route { route = .shared(socket) } else { route = .shared(nil) }
    }

    /// The router has given all its answers to SwiftNIO, and makes no other until ``share(_:)``.
    func endSharing() {
        if case .shared(let socket) = route { route = .pipeline(socket) }
    }

    /// The connection is gone.
    func closed() {
        activity = nil
        route = .shared(nil)
        unsent = nil
    }

    /// Whether an answer may leave through the socket now.
    private func takesSocket(_ context: ChannelHandlerContext) -> Bool {
        switch route {
        case .socket: return true
        case .shared: return false
        case .first:
            route = .pipeline(nil)
            return false
        case .pipeline(let made):
            guard Self.hasWrittenAll(of: context.channel), let socket = made ?? ResponseSocket(of: context.channel)
            else { return false }
            route = .socket(socket)
            return true
        }
    }

    /// Whether SwiftNIO has nothing left to write.
    private static func hasWrittenAll(of channel: any Channel) -> Bool {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0
    }

    /// SwiftNIO gets the answer of this turn, and the next ones while it has something left to write.
    private func leaveSocket(_ context: ChannelHandlerContext) {
        if case .socket(let socket) = route { route = .pipeline(socket) }
        guard let bytes = unsent.take() else { return }
        writeThrough(bytes, context)
    }

    private func writeThrough(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        needsFlush = true
        context.write(NIOAny(IOData.byteBuffer(bytes)), promise: nil)
    }

    /// - Returns: whether the kernel has all of it.
    private func sendUnsent() -> Bool {
        guard case .socket(let socket) = route, var bytes = unsent.take() else { return false }
        activity?.answered()
        guard socket.send(&bytes) else {
            unsent = bytes
            return false
        }
        return true
    }
}
