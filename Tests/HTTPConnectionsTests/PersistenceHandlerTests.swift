import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

@Suite struct PersistenceHandlerTests {
    @Test("the router learns that a request came in HTTP/1.0, whose answer has no chunks")
    func version() throws {
        let channel = EmbeddedChannel(handler: PersistenceHandler())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        for (version, told) in [(HTTPVersion.http1_0, ["1.0"]), (.http1_1, [])] {
            let head = HTTPRequestHead(version: version, method: .GET, uri: "/")
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            guard case .head(let read) = try channel.readInbound(as: HTTPServerRequestPart.self) else {
                Issue.record("no head")
                return
            }
            #expect(read.headers[OlderVersion.field] == told)
        }
    }
}
