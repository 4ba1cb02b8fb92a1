import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

/// Which requests are answered with 100 Continue.
@Suite struct ContinueHandlerTests {
    private let channel = EmbeddedChannel(handler: ContinueHandler())

    private func request(_ version: HTTPVersion = .http1_1, expecting expectation: String? = nil) throws {
        let headers = HTTPHeaders(expectation.map { [("Expect", $0)] } ?? [])
        let head = HTTPRequestHead(version: version, method: .POST, uri: "/", headers: headers)
        try channel.writeInbound(HTTPServerRequestPart.head(head))
    }

    private func answer(_ status: HTTPResponseStatus) throws {
        try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: status)))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// The status codes that were written since the last call.
    private func written() throws -> [UInt] {
        var codes: [UInt] = []
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .head(let head) = part { codes.append(head.status.code) }
        }
        return codes
    }

    @Test("a client that waits for it gets it, and no other client")
    func waits() throws {
        for (version, expectation, codes) in [
            (.http1_1, "100-continue", [100]), (.http1_1, "100-Continue", [100]), (.http1_1, "200-ok", []),
            (.http1_1, nil, []), (.http1_0, "100-continue", []),
        ] as [(HTTPVersion, String?, [UInt])] {
            try request(version, expecting: expectation)
            #expect(try written() == codes, "\(version) \(expectation ?? "")")
            try answer(.ok)
            #expect(try written() == [200])
        }
    }

    @Test("while an earlier request has no answer it is not written, because it would be taken for that answer")
    func pipelined() throws {
        try request()
        try request(expecting: "100-continue")
        #expect(try written() == [])
        try answer(.ok)
        try request(expecting: "100-continue")
        #expect(try written() == [200], "the second request has no answer yet")
        try answer(.created)
        try answer(.accepted)
        #expect(try written() == [201, 202])
        try request(expecting: "100-continue")
        #expect(try written() == [100])
    }
}
