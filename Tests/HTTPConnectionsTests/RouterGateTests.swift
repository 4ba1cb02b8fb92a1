import Counting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

@Suite struct RouterGateTests {
    /// Begins requests and answers none until it is told to, as a router that is busy does.
    final class Router: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private(set) var begun: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data) { begun.append(head.uri) }
        }

        func userInboundEventTriggered(context _: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { begun.append("input closed") }
        }

        func answer(_ context: ChannelHandlerContext) {
            context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    @Test("of requests that one connection sends at once, the router has eight at most, and takes them in order")
    func pipelined() throws {
        let (router, channel) = (Router(), EmbeddedChannel())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let registry = ConnectionRegistry(
            loop: channel.embeddedEventLoop, limit: ConnectionLimit(), timeout: .short,
            refused: CaseCounters<RefusedConnection>())
        try channel.pipeline.syncOperations.addHandlers([RouterGate(registry: registry, maximumRest: 0), router])
        let paths = (0..<100).map { "/p/\($0)" }
        for path in paths {
            try channel.writeInbound(
                HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: path)))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }
        #expect(router.begun == Array(paths.prefix(8)))
        let context = try channel.pipeline.syncOperations.context(handler: router)
        for answered in 1...100 {
            router.answer(context)
            #expect(router.begun == Array(paths.prefix(8 + answered)))
        }
    }

    /// A gate in memory that reads so many bytes of a body after its answer, and a router behind it.
    private static func connection(maximumRest: Int) throws -> (Router, EmbeddedChannel) {
        let (router, channel) = (Router(), EmbeddedChannel())
        let registry = ConnectionRegistry(
            loop: channel.embeddedEventLoop, limit: ConnectionLimit(), timeout: .short,
            refused: CaseCounters<RefusedConnection>())
        let gate = RouterGate(registry: registry, maximumRest: maximumRest)
        try channel.pipeline.syncOperations.addHandlers([gate, ContinueHandler(), router])
        return (router, channel)
    }

    private static func post(_ path: String, _ headers: HTTPHeaders = [:]) -> HTTPServerRequestPart {
        .head(HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers))
    }

    @Test("the rest of a body behind its answer is bounded, for each request anew")
    func rests() throws {
        let (router, channel) = try Self.connection(maximumRest: 10)
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let context = try channel.pipeline.syncOperations.context(handler: router)
        for path in ["/0", "/1", "/2"] {
            try channel.writeInbound(Self.post(path))
            router.answer(context)
            for size in [4, 6] {
                try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0, count: size)))
            }
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }
        #expect(router.begun == ["/0", "/1", "/2"])
        try channel.writeInbound(Self.post("/3"))
        router.answer(context)
        // The connection ends amid this body.
        _ = try? channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0, count: 11)))
        _ = try? channel.writeInbound(HTTPServerRequestPart.end(nil))
        _ = try? channel.writeInbound(Self.post("/4"))
        #expect(router.begun == ["/0", "/1", "/2", "/3"])
    }

    @Test(
        "a malformed body is answered with 400 unless its request has an answer, which 100 Continue is not",
        arguments: [
            (false, false, [400]), (true, false, [100, 400]), (false, true, [200]), (true, true, [100, 200]),
        ] as [(Bool, Bool, [UInt])])
    func malformed(isAsked: Bool, isAnswered: Bool, codes: [UInt]) throws {
        let (router, channel) = try Self.connection(maximumRest: 10)
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let context = try channel.pipeline.syncOperations.context(handler: router)
        try channel.writeInbound(Self.post("/", isAsked ? ["Expect": "100-continue"] : [:]))
        if isAnswered { router.answer(context) }
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidChunkSize)
        var written: [UInt] = []
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .head(let head) = part { written.append(head.status.code) }
        }
        #expect(written == codes)
    }

    /// What is written to the client after requests with these methods, each answered with a body of unknown length.
    private func answers(to methods: HTTPMethod...) throws -> String {
        let (router, channel) = (Router(), EmbeddedChannel())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let registry = ConnectionRegistry(
            loop: channel.embeddedEventLoop, limit: ConnectionLimit(), timeout: .short,
            refused: CaseCounters<RefusedConnection>())
        try channel.pipeline.syncOperations.addHandlers([
            HTTPResponseEncoder(), HeadResponseHandler(), RouterGate(registry: registry, maximumRest: 0), router,
        ])
        for method in methods {
            try channel.writeInbound(
                HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: method, uri: "/")))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }
        let context = try channel.pipeline.syncOperations.context(handler: router)
        for _ in methods { router.answer(context) }
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    @Test("an answer to HEAD ends with its head, also where GET would be answered in chunks")
    func head() throws {
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        #expect(try answers(to: .GET) == head + "0\r\n\r\n")
        #expect(try answers(to: .HEAD) == head)
        #expect(try answers(to: .GET, .HEAD, .HEAD, .GET) == head + "0\r\n\r\n" + head + head + head + "0\r\n\r\n")
    }
}
