import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

@Suite struct PersistenceHandlerTests {
    /// The version of a request, its `Connection`, and what the router gets: `Connection` and the older version.
    private static let requests: [(HTTPVersion, sent: String?, given: [String], told: [String])] = [
        (.http1_0, nil, ["close"], ["1.0"]), (.http1_0, "keep-alive", ["close"], ["1.0"]),
        (.http1_0, "close", ["close"], ["1.0"]), (.http1_1, nil, [], []), (.http1_1, "keep-alive", ["keep-alive"], []),
        (.http1_1, "TE, Close", ["close"], []),
    ]

    @Test("the router learns that a request came in HTTP/1.0, whose answer has no chunks and is the last")
    func version() throws {
        let channel = EmbeddedChannel(handler: PersistenceHandler())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        for (version, sent, given, told) in Self.requests {
            let headers = HTTPHeaders(sent.map { [("Connection", $0)] } ?? [])
            let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: headers)
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            guard case .head(let read) = try channel.readInbound(as: HTTPServerRequestPart.self) else {
                Issue.record("no head")
                return
            }
            #expect(read.headers[OlderVersion.field] == told, "\(version) \(sent ?? "")")
            #expect(read.headers["connection"] == given, "\(version) \(sent ?? "")")
        }
    }
}
