import Glibc
import HTTPConnections
import NIOCore
import NIOEmbedded
import Redirect
import Testing

@testable import Service

/// A listening socket when there are too many connections, too few descriptors, or no more service.
@Suite struct AcceptGuardTests {
    /// Stands in the place of the socket, and counts what it is asked for.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = Never

        private(set) var reads = 0
        private(set) var isClosed = false

        func read(context: ChannelHandlerContext) { reads += 1 }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            isClosed = true
            context.close(mode: mode, promise: promise)
        }
    }

    private let loop = EmbeddedEventLoop()
    private let socket = Socket()
    private let log = CapturedLog()
    private let channel: EmbeddedChannel

    init() {
        channel = EmbeddedChannel(loop: loop)
    }

    /// A bound channel behind a guard.
    private func listen(_ limit: ConnectionLimit = ConnectionLimit(2)) throws {
        try channel.pipeline.syncOperations.addHandlers([
            socket, AcceptGuard(limit: limit, sockets: OpenSockets {}, group: loop, logger: log.logger),
        ])
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80), promise: nil)
    }

    /// Accepts one connection.
    private func accept() throws -> EmbeddedChannel {
        let connection = EmbeddedChannel(loop: loop)
        try channel.writeInbound(connection as any Channel)
        return connection
    }

    private func fail(_ code: CInt) { channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept")) }

    @Test("connections beyond the limit wait in the kernel, until one of those that are open ends")
    func limit() throws {
        let limit = ConnectionLimit(2)
        try listen(limit)
        channel.read()
        #expect(socket.reads == 1)
        let first = try accept()
        _ = try accept()
        #expect(limit.isReached)
        channel.read()
        loop.advanceTime(by: .seconds(1))
        #expect(socket.reads == 1, "it looks again and again, and there is no room")
        try first.close().wait()
        #expect(socket.reads == 1)
        loop.advanceTime(by: .milliseconds(20))
        #expect(socket.reads == 2)
        #expect(log.lines == [], "many connections are no fault")
    }

    @Test(
        "without descriptors or memory it waits a while and goes on; that is told once",
        arguments: [
            ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM,
        ])
    func shortage(_ code: CInt) throws {
        try listen()
        for _ in 1...3 {
            fail(code)
            channel.read()
            #expect(socket.reads == 0)
        }
        try channel.throwIfErrorCaught()
        #expect(log.lines.map { $0.metadata["errno"] } == ["\(code)"])
        loop.advanceTime(by: .milliseconds(19))
        #expect(socket.reads == 0)
        loop.advanceTime(by: .milliseconds(1))
        #expect(socket.reads == 1)
        _ = try accept()
        fail(code)
        #expect(log.lines.count == 2, "told anew after a connection was accepted")
    }

    @Test("any other error is the listener's", arguments: [EBADF, EINVAL, EIO])
    func otherErrors(_ code: CInt) throws {
        try listen()
        fail(code)
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
        channel.read()
        #expect(socket.reads == 1 && log.lines == [])
    }

    @Test("a socket is closed when the connections that it accepted are on their way, and accepts no more")
    func closing() throws {
        try listen()
        let closed = channel.close()
        #expect(!socket.isClosed, "each loop of a connection is visited first, twice")
        channel.read()
        #expect(socket.reads == 0)
        loop.run()
        #expect(socket.isClosed)
        try closed.wait()
    }

    @Test("a socket that is closed while it waits for room does not go on")
    func closedWhileWaiting() throws {
        try listen()
        fail(EMFILE)
        channel.read()
        channel.close(promise: nil)
        loop.advanceTime(by: .seconds(1))
        #expect(socket.isClosed && socket.reads == 0)
    }

    @Test("a connection that ends gives its place back once")
    func places() throws {
        let limit = ConnectionLimit(1)
        try listen(limit)
        for _ in 1...3 {
            let connection = try accept()
            #expect(limit.isReached)
            try connection.close().wait()
            connection.close(promise: nil)
            loop.run()
            #expect(!limit.isReached)
        }
    }
}
