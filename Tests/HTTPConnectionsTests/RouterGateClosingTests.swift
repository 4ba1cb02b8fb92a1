import Counting
import Glibc
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SocketPairs
import TestSupport
import Testing

@testable import HTTPConnections

/// The router's close takes no answer away from a client that is slow, and no client holds up a server that must end.
@Suite struct RouterGateClosingTests {
    /// A socket whose client takes nothing until it is told to. As SwiftNIO's, it fails what is not taken when it is
    /// closed.
    private final class SlowSocket: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart

        private(set) var closes: [CloseMode] = []
        private var untaken: [EventLoopPromise<Void>] = []
        private var isSlow = true

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard isSlow else { return context.write(data, promise: promise) }
            if let promise { untaken.append(promise) }
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard isSlow else { return context.close(mode: mode, promise: promise) }
            closes.append(mode)
            if mode != .input { for promise in takeAway() { promise.fail(ChannelError.ioOnClosedChannel) } }
            promise?.succeed(())
        }

        /// The client takes all that was written.
        func take() { for promise in takeAway() { promise.succeed(()) } }

        /// From now on it takes everything at once.
        func end() {
            isSlow = false
            take()
        }

        private func takeAway() -> [EventLoopPromise<Void>] {
            defer { untaken = [] }
            return untaken
        }
    }

    /// A connection in memory: a slow socket, the gate, and a router.
    private struct Connection {
        let channel = EmbeddedChannel()
        let socket = SlowSocket()
        let router = RouterGateTests.Router()
        let gate: RouterGate

        init() throws {
            gate = RouterGate(registry: Self.registry(channel.embeddedEventLoop), maximumRest: 0)
            try channel.pipeline.syncOperations.addHandlers([socket, gate, router])
        }

        static func registry(_ loop: any EventLoop) -> ConnectionRegistry {
            ConnectionRegistry(
                loop: loop, limit: ConnectionLimit(), timeout: .long, refused: CaseCounters<RefusedConnection>())
        }

        func request(_ path: String) throws {
            try channel.writeInbound(
                HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: path)))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }

        func answer() throws { router.answer(try context) }

        func close(_ mode: CloseMode) throws { try context.close(mode: mode, promise: nil) }

        private var context: ChannelHandlerContext {
            get throws { try channel.pipeline.syncOperations.context(handler: router) }
        }

        func end() {
            socket.end()
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test("the router's close waits for the client to take its answers", arguments: [CloseMode.output, .all])
    func behindAnswers(_ mode: CloseMode) throws {
        let connection = try Connection()
        defer { connection.end() }
        try connection.request("/a")
        try connection.answer()
        try connection.close(mode)
        #expect(connection.socket.closes.isEmpty)
        connection.socket.take()
        #expect(connection.socket.closes == [mode])
    }

    @Test("a server that ends by force waits for no client")
    func forced() throws {
        let connection = try Connection()
        defer { connection.end() }
        try connection.request("/a")
        try connection.answer()
        try connection.close(.output)
        try connection.close(.input)
        #expect(connection.socket.closes.prefix(2) == [.input, .all])
        let count = connection.socket.closes.count
        try connection.close(.all)
        #expect(connection.socket.closes.count == count + 1)
    }

    @Test("a connection that waits only for its client to take answers is idle, so its timeout ends it")
    func timeout() throws {
        let connection = try Connection()
        defer { connection.end() }
        try connection.request("/a")
        #expect(connection.gate.stage == .owing)
        try connection.close(.all)
        #expect(connection.socket.closes.isEmpty)
        #expect(connection.gate.stage == .idle)
    }

    @Test("the router hears of the end of input behind the requests that wait")
    func endOfInput() throws {
        let connection = try Connection()
        defer { connection.end() }
        let paths = (0..<20).map { "/p/\($0)" }
        for path in paths { try connection.request(path) }
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.router.begun == Array(paths.prefix(8)))
        for _ in 0..<12 { try connection.answer() }
        #expect(connection.router.begun == paths + ["input closed"])
    }

    /// Answers each request with a long body, and closes its output when the client sends nothing more.
    private final class LongAnswers: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        let body: [UInt8]
        private let isClosing: Note<Bool>

        init(body: [UInt8], isClosing: Note<Bool>) {
            self.body = body
            self.isClosing = isClosing
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let head = HTTPResponseHead(
                version: .http1_1, status: .ok, headers: ["Content-Length": "\(body.count)"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case ChannelEvent.inputClosed = event else { return }
            context.close(mode: .output, promise: nil)
            isClosing.value = true
        }
    }

    @Test("a client that has said all it will gets a long answer whole, however slowly it reads")
    func halfClosed() async throws {
        let body = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let isClosing = Note(false)
        try await PairedChannel.run { pair in
            try await pair.channel.setOption(.allowRemoteHalfClosure, value: true).get()
            try await pair.onLoop { [channel = pair.channel] in
                try channel.pipeline.syncOperations.addHandlers([
                    ByteToMessageHandler(HTTPRequestDecoder()), HTTPResponseEncoder(),
                    RouterGate(registry: Connection.registry(channel.eventLoop), maximumRest: 0),
                    LongAnswers(body: body, isClosing: isClosing),
                ])
            }
            let request = Array("GET /long HTTP/1.1\r\nHost: links.example\r\n\r\n".utf8)
            #expect(send(pair.ends.other, request, request.count, 0) == request.count)
            shutdown(pair.ends.other, CInt(SHUT_WR))
            #expect(await eventually { isClosing.value })
            #expect(pair.ends.receives(Array("HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n".utf8)))
            #expect(pair.ends.receives(body))
            #expect(pair.ends.isClosed)
        }
    }
}
