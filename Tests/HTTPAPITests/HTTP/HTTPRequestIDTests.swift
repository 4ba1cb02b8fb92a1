import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPAPI

@Suite struct HTTPRequestIDTests {
    private static func headers(_ name: String, _ values: [String]) -> HTTPFields {
        var headers = HTTPFields()
        for value in values { headers.append(HTTPField(name: .known(name), value: value)) }
        return headers
    }

    @Test("a new id is 32 hexadecimal digits, and all of its 128 bits are drawn")
    func new() {
        struct Fixed: RandomNumberGenerator {
            var numbers: [UInt64] = [0xFEDC_BA98_7654_3210, 0x0123_4567_89AB_CDEF]
            mutating func next() -> UInt64 { numbers.removeFirst() }
        }
        var generator = Fixed()
        #expect(HTTPRequestID(drawnFrom: &generator).description == "fedcba98765432100123456789abcdef")
        #expect(HTTPRequestID() != HTTPRequestID())
        #expect(HTTPRequestID(HTTPRequestID().description) != nil)
    }

    @Test(
        "a client's id is taken over when it has the form that programs draw",
        arguments: [
            "0af7651916cd43dd8448eb211c80319c", "0AF7651916CD43DD8448EB211C80319C",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        ])
    func takenOver(_ text: String) {
        #expect(HTTPRequestID(of: Self.headers("X-Request-Id", [text]))?.description == text)
    }

    @Test(
        "no other text is taken over, since it could name a person",
        arguments: [
            "", "7", "ana@example.com", "0af7651916cd43dd8448eb211c80319", "0af7651916cd43dd8448eb211c80319c0",
            "0af7651916cd43dd8448eb211c80319g", "0af7651916cd43dd8448eb211c80319é",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf", "f81d4fae-7dec-11d0a765-00a0c91e6bf6",
            "f81d4fae07dec011d00a765000a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf}",
            "--------------------------------",
        ])
    func refused(_ text: String) { #expect(HTTPRequestID(text) == nil) }

    @Test("of two ids of a client neither is taken over")
    func two() {
        let id = "0af7651916cd43dd8448eb211c80319c"
        #expect(HTTPRequestID(of: Self.headers("X-Request-Id", [id, id])) == nil)
    }

    @Test(
        "a well-formed traceparent tells the trace",
        arguments: [
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-what-the-future-brings",
        ])
    func trace(_ text: String) {
        let trace = TraceID(of: Self.headers("traceparent", [text]))
        #expect(trace?.description == "0af7651916cd43dd8448eb211c80319c")
    }

    @Test(
        "a malformed traceparent tells nothing",
        arguments: [
            "", "-", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
            "00-ana@example.com0000000000000000-b7ad6b7169203331-01",
        ])
    func noTrace(_ text: String) { #expect(TraceID(traceparent: text) == nil) }

    @Test("of two headers traceparent none is believed")
    func twoTraces() {
        let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        #expect(TraceID(of: Self.headers("traceparent", [text, text])) == nil)
    }

    @Test("the public listener takes over neither id nor trace of a stranger")
    func strangers() {
        let id = "0af7651916cd43dd8448eb211c80319c"
        let sent = Self.headers("X-Request-Id", [id]) + Self.headers("traceparent", ["00-\(id)-b7ad6b7169203331-01"])
        #expect(RequestIDPolicy.answered.id(of: sent).description == id)
        #expect(RequestIDPolicy.answered.trace(of: sent)?.description == id)
        #expect(RequestIDPolicy.logged.id(of: sent).description != id)
        #expect(RequestIDPolicy.logged.trace(of: sent) == nil)
    }

    @Test("a problem document has the id that the log has, on the private listener alone")
    func problems() async throws {
        let id = try #require(HTTPRequestID("0af7651916cd43dd8448eb211c80319c"))
        #expect(try await Self.problem(of: id, .answered).contains(#""requestId":"0af7651916cd43dd8448eb211c80319c""#))
        #expect(try await !Self.problem(of: id, .logged).contains("0af765"))
    }

    /// What a request with that id is answered that nothing is there for.
    private static func problem(of id: HTTPRequestID, _ policy: RequestIDPolicy) async throws -> String {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: ProblemMiddleware(requestIDs: policy))
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(
                channel: EmbeddedChannel(), logger: Logger(label: "test").of(id, nil)))
        let request = Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/nowhere"),
            body: RequestBody(buffer: ByteBuffer()))
        let response = try await router.buildResponder().respond(to: request, context: context)
        let body = CollectingWriter()
        try await response.body.write(body)
        return body.text
    }
}
