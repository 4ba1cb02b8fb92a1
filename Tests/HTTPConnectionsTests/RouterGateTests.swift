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
