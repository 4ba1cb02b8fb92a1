import Glibc
import NIOCore

/// The socket of a connection, for an answer that SwiftNIO does not write. It leaves in one system call, past the
/// handlers, the list of pending writes and the flush: those are a sixth of the instructions of a click.
///
/// To be used only while SwiftNIO has nothing left to write on the connection; whatever the socket does not take at
/// once must go through SwiftNIO. Belongs to the event loop of its connection.
struct ResponseSocket {
    private let channel: any Channel
    private let descriptor: NIOBSDSocket.Handle

    /// - Returns: `nil` for a channel without a socket, such as one in memory.
    init?(of channel: any Channel) {
        let pipeline = channel.pipeline.syncOperations
        guard
            let descriptor = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, { $0 })
        else { return nil }
        self.channel = channel
        self.descriptor = descriptor
    }

    /// Sends the readable bytes, as far as the kernel takes them, and moves the reader index past those.
    ///
    /// - Returns: whether it took them all. An error of the socket is not reported here: SwiftNIO gets
    ///   it with its next write.
    func send(_ bytes: inout ByteBuffer) -> Bool {
        // SwiftNIO closes the descriptor and calls its channel inactive without a step of ours in between. The number
        // may be another connection's afterwards.
        guard channel.isActive else { return false }
        let sent = bytes.withUnsafeReadableBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        bytes.moveReaderIndex(forwardBy: max(0, sent))
        return bytes.readableBytes == 0
    }
}
