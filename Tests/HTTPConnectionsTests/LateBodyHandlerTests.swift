import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

/// Which requests are marked, by what comes in one read.
@Suite struct LateBodyHandlerTests {
    private let channel = EmbeddedChannel(handler: LateBodyHandler())
    private let head = HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/"))
    private let body = HTTPServerRequestPart.body(ByteBuffer(string: "{}"))

    /// Gives the handler parts of one read.
    private func read(_ parts: HTTPServerRequestPart...) {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
    }

    /// The parts that the handler passed on, in short: `late` for a head that is marked.
    private func passed() throws -> [String] {
        var texts: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head): texts.append(head.headers.contains(name: LateBody.field) ? "late" : "head")
            case .body: texts.append("body")
            case .end: texts.append("end")
            }
        }
        return texts
    }

    @Test("a request that comes whole in one read is not marked, with a body or without, nor are several of them")
    func whole() throws {
        read(head, .end(nil))
        #expect(try passed() == ["head", "end"])
        read(head, body, body, .end(nil), head, .end(nil))
        #expect(try passed() == ["head", "body", "body", "end", "head", "end"])
    }

    @Test("a request whose end comes in a later read is marked, and everything is passed on in order")
    func late() throws {
        read(head)
        #expect(try passed() == ["late"])
        read(body)
        #expect(try passed() == ["body"])
        read(body, .end(nil), head, body)
        #expect(try passed() == ["body", "end", "late", "body"])
        read(.end(nil), head, .end(nil))
        #expect(try passed() == ["end", "head", "end"])
    }

    @Test("what is held is passed on before the connection ends")
    func ended() throws {
        channel.pipeline.fireChannelRead(head)
        channel.pipeline.fireChannelRead(body)
        #expect(try passed() == [])
        channel.pipeline.fireChannelInactive()
        #expect(try passed() == ["late", "body"])
    }
}
