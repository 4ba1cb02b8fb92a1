import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

/// Requests whose end another server may see elsewhere, or after which the decoder may have stopped.
@Suite struct FramingGuardTests {
    private static func head(
        _ fields: [(String, String)], version: HTTPVersion = .http1_1, method: HTTPMethod = .POST
    ) -> HTTPRequestHead {
        HTTPRequestHead(version: version, method: method, uri: "/", headers: HTTPHeaders(fields))
    }

    /// The heads that the decoder and the guard give on of what is sent at once.
    private static func read(_ sent: String) throws -> (heads: [HTTPRequestHead], error: (any Error)?) {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let decoder = RequestDecoder(limits: .init(), takesUnescapedTargets: false)
        try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(decoder), FramingGuard(decoder: decoder),
        ])
        var failure: (any Error)?
        do {
            try channel.writeInbound(ByteBuffer(string: sent))
        } catch {
            failure = error
        }
        var heads: [HTTPRequestHead] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { heads.append(head) }
        }
        return (heads, failure)
    }

    @Test("only the coding chunked, said once, and only in HTTP/1.1, tells where a request ends")
    func codings() {
        let chunked = ("Transfer-Encoding", "chunked")
        #expect(Self.head([]).hasPlainFraming && Self.head([], version: .http1_0).hasPlainFraming)
        #expect(Self.head([chunked]).hasPlainFraming)
        #expect(Self.head([("transfer-encoding", "Chunked")]).hasPlainFraming)
        #expect(!Self.head([chunked], version: .http1_0).hasPlainFraming)
        #expect(!Self.head([("Connection", "keep-alive"), chunked], version: .http1_0).hasPlainFraming)
        #expect(!Self.head([chunked, chunked]).hasPlainFraming)
        #expect(!Self.head([("Transfer-Encoding", "gzip, chunked")]).hasPlainFraming)
        #expect(!Self.head([("Transfer-Encoding", "identity")]).hasPlainFraming)
        #expect(!Self.head([], method: .CONNECT).hasPlainFraming)
    }

    @Test(
        "chunks in HTTP/1.0 are refused, and so is the request behind them",
        arguments: ["", "Connection: keep-alive\r\n", "Content-Length: 5\r\n"])
    func olderVersion(_ fields: String) throws {
        let (heads, error) = try Self.read(
            "POST /a HTTP/1.0\r\nHost: x\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(heads.isEmpty)
        #expect(error is HTTPParserError)
    }

    /// The values of `Connection` as they are sent, those that the router gets, and whether the decoder stops.
    private static let offers: [(sent: [String], given: [String], stops: Bool)] = [
        (["Upgrade"], [], true), (["keep-alive, Upgrade"], ["keep-alive"], true),
        (["Upgrade, HTTP2-Settings"], [], true), (["close, upgrade"], ["close"], true),
        (["Upgrade", "keep-alive"], ["close"], false), (["keep-alive", "Upgrade"], ["close"], false),
        (["Upgrade", "Upgrade"], ["close"], false), (["Upgrade\t"], ["close"], false),
        (["Upgrade,"], ["close"], false), (["x-upgrade"], ["close"], false), (["keep-alive"], ["keep-alive"], false),
    ]

    @Test("the offer of another protocol is removed; where the decoder may have stopped, the connection ends")
    func upgrade() {
        for (sent, given, stops) in Self.offers {
            var head = Self.head([("Upgrade", "h2c")] + sent.map { ("Connection", $0) })
            #expect(head.removeUpgrade() == stops, "\(sent)")
            #expect(head.headers["connection"] == given, "\(sent)")
        }
    }

    @Test("behind an offer in two fields no request is read, in either order", arguments: [true, false])
    func twoFields(isFirst: Bool) throws {
        let fields = ["Connection: Upgrade\r\n", "Connection: keep-alive\r\n"]
        let (heads, error) = try Self.read(
            "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n\((isFirst ? fields : fields.reversed()).joined())\r\n"
                + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(heads.map(\.uri) == ["/a"] && error == nil)
        #expect(heads.first?.headers["connection"] == ["close"])
    }
}
