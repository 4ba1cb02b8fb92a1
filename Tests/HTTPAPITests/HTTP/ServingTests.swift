import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import HTTPAPI

/// Answers as a connection gets them.
@Suite struct ServingTests {
    private struct Unforeseen: Error {}

    private let log = LogLines()
    private let time = SettableTime()

    /// - Parameter hasMiddleware: without it, errors come as far as the connection.
    private func responder(_ policy: RequestIDPolicy = .answered, hasMiddleware: Bool = true) -> Responder {
        let router = Router(context: BasicRequestContext.self)
        if hasMiddleware { router.add(middleware: ProblemMiddleware(requestIDs: policy)) }
        router.get("/fine") { _, context in
            context.logger.info("handled")
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "fine")))
        }
        router.get("/unforeseen") { _, _ -> Response in throw Unforeseen() }
        router.get("/malformed") { _, _ -> Response in throw HTTPParserError.invalidChunkSize }
        router.get("/cut") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "half"))
                    throw Unforeseen()
                })
        }
        router.get("/cut-by-client") { _, _ in
            Response(status: .ok, body: ResponseBody { _ in throw HTTPParserError.invalidChunkSize })
        }
        let logger = log.logger
        return router.buildResponder().serving(logger, policy) { [time] in time.now }
    }

    @Test("an answer has the time of the service, which goes on by the second")
    func date() async throws {
        let responder = responder()
        let first = await ConnectionAnswer.of(.get, "/fine", by: responder).sent
        #expect(first.status == 200 && first.hasEnded && first.answer.body == "fine")
        #expect(first.headers[.date] == "Sun, 22 Nov 2026 12:00:00 GMT")
        time.advance(byMilliseconds: 1500)
        let second = await ConnectionAnswer.of(.get, "/nowhere", by: responder).sent
        #expect(second.headers[.date] == "Sun, 22 Nov 2026 12:00:01 GMT")
    }

    @Test("the private listener tells the id of a request with every answer, the public one with none")
    func ids() async throws {
        let id = "0af7651916cd43dd8448eb211c80319c"
        for path in ["/fine", "/unforeseen", "/nowhere"] {
            let told = await ConnectionAnswer.of(.get, path, headers: [.requestID: id], by: responder()).sent
            #expect(told.headers[.requestID] == id, "\(path)")
            #expect(told.status == 200 || told.answer["requestId"]?.text == id, "\(path)")
            let other = await ConnectionAnswer.of(.get, path, headers: [.requestID: "ana@example.com"], by: responder())
            #expect(other.sent.headers[.requestID]?.utf8.count == 32, "an id of its own")
            let untold = await ConnectionAnswer.of(.get, path, headers: [.requestID: id], by: responder(.logged)).sent
            #expect(untold.headers[.requestID] == nil && untold.answer["requestId"] == nil, "\(path)")
        }
    }

    @Test("what a handler throws past the router is a problem document all the same")
    func thrown() async throws {
        let (sent, error) = await ConnectionAnswer.of(
            .get, "/unforeseen", by: responder(hasMiddleware: false))
        #expect(error == nil && sent.status == 500 && sent.hasEnded)
        #expect(sent.headers[.contentType] == "application/problem+json")
        #expect(log.all == ["unexpected error type=Unforeseen"])
    }

    @Test("a request that cannot be read any further is the connection's to answer, once")
    func malformed() async throws {
        let (sent, error) = await ConnectionAnswer.of(.get, "/malformed", by: responder(hasMiddleware: false))
        #expect(error is HTTPParserError && sent.heads.isEmpty)
        let (begun, second) = await ConnectionAnswer.of(.get, "/cut-by-client", by: responder())
        #expect(second is CancellationError && begun.heads.count == 1 && !begun.hasEnded)
    }

    @Test("an answer that breaks off has no proper end, and no second head")
    func cut() async throws {
        let (sent, error) = await ConnectionAnswer.of(.get, "/cut", by: responder())
        #expect(error is Unforeseen)
        #expect(sent.heads.count == 1 && sent.answer.body == "half" && !sent.hasEnded)
    }

    @Test("an answer to HEAD has the header of the answer to GET, and no body")
    func head() async throws {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: ProblemMiddleware(requestIDs: .logged))
        router.document("/page") { Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "page"))) }
        let responder = router.buildResponder().serving(Logger(label: "test"), .logged) { .noon }
        let head = await ConnectionAnswer.of(.head, "/page", by: responder).sent
        #expect(head.status == 200 && head.bytes.isEmpty && head.headers[.contentLength] == "4")
        let refused = await ConnectionAnswer.of(.head, "/nowhere", by: responder).sent
        #expect(refused.status == 404 && refused.bytes.isEmpty)
        for method in ["POST", "TRACE", "CONNECT", "QUERY", "PROPFIND", "MKCOL", "SEARCH", "ANY-NAME"] {
            let method = try #require(HTTPRequest.Method(method))
            let other = await ConnectionAnswer.of(method, "/page", by: responder).sent
            #expect(other.status == 405 && other.headers[.allow] == "GET, HEAD", "\(method)")
            #expect(await ConnectionAnswer.of(method, "/nowhere", by: responder).sent.status == 404, "\(method)")
        }
    }
}
