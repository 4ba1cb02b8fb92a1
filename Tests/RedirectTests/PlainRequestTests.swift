import Interactions
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Redirect

@Suite struct PlainRequestTests {
    /// What the decoder makes of `text` when it is one whole request without a body.
    private func decoded(_ text: String) throws -> HTTPRequestHead? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try channel.writeInbound(ByteBuffer(string: text))
        guard case .head(let head) = try channel.readInbound(as: HTTPServerRequestPart.self),
            case .end(nil) = try channel.readInbound(as: HTTPServerRequestPart.self),
            try channel.readInbound(as: HTTPServerRequestPart.self) == nil
        else { return nil }
        return head
    }

    /// The bytes as the decoder gets them: it takes those from 0x80 on escaped alone.
    private func escaped(_ bytes: some Sequence<UInt8>) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            byte < 0x80 ? [byte] : [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 0xF)]]
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private func token(in uri: String) -> String? {
        RedirectPath.withToken(of: uri) { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
    }

    private func plain(_ text: String) -> (request: RedirectRequest, token: String, length: Int)? {
        let bytes = Array(text.utf8)
        guard let plain = PlainRequest(bytes.span, RecentAgents()) else { return nil }
        return (plain.request, String(decoding: bytes[plain.token], as: UTF8.self), plain.length)
    }

    @Test(
        "a plain request is understood as the decoder understands it",
        arguments: [
            "GET /r/TOKEN HTTP/1.1\r\nHost: links.example\r\n\r\n",
            "GET /r/TOKEN/?utm=a&b=%20 HTTP/1.1\r\nhost:links.example\r\nUser-Agent:   Mozilla/5.0  \r\n\r\n",
            "GET /r/ HTTP/1.1\r\nHost: x\r\nConnection: Keep-Alive\r\nAccept: text/html\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nHost: x\r\nSec-GPC: 1\r\nSEC-PURPOSE: prefetch;prerender\r\nX-Empty:\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nHost: x\r\nUser-Agent: curl/8\r\nUser-Agent: Mozilla/5.0\r\nX-Purpose: preview\r\n\r\n",
            "GET /r/TOKEN%E2%80%9D HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /r/TOKEN/%e3%80%82?a HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /r/TOKEN%7F HTTP/1.1\r\nHost: x\r\n\r\n", "GET /r/%80 HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nHost: x\r\nCookie: a=\"b\"; c={d}\r\nX_Y: ~!@#$%^&*()\r\nsec-gpc:  1 \r\n\r\n",
        ])
    func agrees(_ text: String) throws {
        let head = try #require(try decoded(text))
        let understood = try #require(plain(text))
        #expect(understood.request == RedirectRequest(head))
        #expect(understood.token == token(in: head.uri))
        #expect(understood.length == text.utf8.count)
    }

    @Test(
        "what somebody added to a link unescaped is passed over",
        arguments: [
            "TOKEN?utm_campaign=café", "TOKEN”", "TOKEN/”", "TOKEN。", "TOKENé?a=ü", "TOKEN”/x", "TOKEN”%41",
            "TOKEN\u{80}x",
        ])
    func unescaped(_ target: String) throws {
        let text = "GET /r/\(target) HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(plain(text)?.token == "TOKEN")
        #expect(plain(text)?.length == text.utf8.count)
        let head = try #require(try decoded(escaped(text.utf8)))
        #expect(token(in: head.uri) == "TOKEN")
    }

    @Test("of two requests in one go the first is read, and how long it is")
    func pipelined() {
        let first = "GET /r/ONE HTTP/1.1\r\nHost: x\r\n\r\n"
        let both = plain(first + "GET /r/TWO HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(both?.token == "ONE")
        #expect(both?.length == first.utf8.count)
    }

    @Test(
        "whatever is not plain is the decoder's",
        arguments: [
            "", "G", "GET /r/TOKEN HTTP/1.1", "GET /r/TOKEN HTTP/1.1\r\n", "GET /r/TOKEN HTTP/1.1\r\nHost: x\r\n",
            "GET /r/TOKEN HTTP/1.1\r\nHost: x\r\n\r", "HEAD /r/T HTTP/1.1\r\n\r\n", "get /r/T HTTP/1.1\r\n\r\n",
            "POST /r/T HTTP/1.1\r\n\r\n", "GET /r/T HTTP/1.0\r\n\r\n", "GET /r/T HTTP/1.1\n\n", "GET /r/T\r\n\r\n",
            "GET  /r/T HTTP/1.1\r\n\r\n", "GET /r/T  HTTP/1.1\r\n\r\n", " GET /r/T HTTP/1.1\r\n\r\n",
            "\r\nGET /r/T HTTP/1.1\r\n\r\n", "GET /R/T HTTP/1.1\r\n\r\n", "GET /healthz HTTP/1.1\r\n\r\n",
            "GET /r/?id=1 HTTP/1.1\r\n\r\n", "GET http://x/r/T HTTP/1.1\r\n\r\n", "GET /r/T#f HTTP/1.1\r\n\r\n",
            "GET /é/T HTTP/1.1\r\n\r\n", "GET /é HTTP/1.1\r\n\r\n", "GET é/r/T HTTP/1.1\r\n\r\n",
            "GET /r/\u{0}T HTTP/1.1\r\n\r\n", "GET /r/T?a=\u{7F} HTTP/1.1\r\n\r\n", "GET /r/T\t HTTP/1.1\r\n\r\n",
            "GET /r/T HTTP/1.1\r\n: x\r\n\r\n", "GET /r/T HTTP/1.1\r\nHost : x\r\n\r\n",
            "GET /r/T HTTP/1.1\r\n Host: x\r\n\r\n", "GET /r/T HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nHost\r\n\r\n", "GET /r/T HTTP/1.1\r\nA: b\nB: c\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nA: b\rB: c\r\n\r\n", "GET /r/T HTTP/1.1\r\nA: \u{0}\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nA: b\t\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nA: \u{7F}\r\n\r\n", "GET /r/T HTTP/1.1\r\nA: ü\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nÄ: b\r\n\r\n", "GET /r/T HTTP/1.1\r\nA(B): c\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nConnection: close\r\n\r\n", "GET /r/T HTTP/1.1\r\nconnection: keep-alive, te\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "GET /r/T HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello",
            "GET /r/T HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "GET /r/T HTTP/1.1\r\nUpgrade: h2c\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nExpect: 100-continue\r\n\r\n", "GET /r/T HTTP/1.1\r\nTE: trailers\r\n\r\n",
            "GET /r/T HTTP/1.1\r\nTrailer: x\r\n\r\n", "GET /r/T HTTP/1.1\r\nProxy-Connection: close\r\n\r\n",
        ])
    func notPlain(_ text: String) {
        #expect(plain(text) == nil)
        // Not for want of a host alone.
        #expect(plain(text.replacing("HTTP/1.1\r\n", with: "HTTP/1.1\r\nHost: x\r\n", maxReplacements: 1)) == nil)
    }

    @Test("a request that names no host, or more than one, is the decoder's")
    func hosts() {
        #expect(plain("GET /r/T HTTP/1.1\r\n\r\n") == nil)
        #expect(plain("GET /r/T HTTP/1.1\r\nHost: x\r\n\r\n") != nil)
        #expect(plain("GET /r/T HTTP/1.1\r\nHost: x\r\nA: b\r\nhost: x\r\n\r\n") == nil)
    }

    @Test("a long header, and one of many fields, is the decoder's")
    func limits() {
        let start = "GET /r/T HTTP/1.1\r\nHost: x\r\n"
        func padded(to count: Int) -> String {
            let name = "X: "
            return start + name + String(repeating: "x", count: count - (start + name).utf8.count - 4) + "\r\n\r\n"
        }
        #expect(plain(padded(to: 8192))?.length == 8192)
        #expect(plain(padded(to: 8193)) == nil)
        #expect(plain(start + String(repeating: "a: b\r\n", count: 63) + "\r\n") != nil)
        #expect(plain(start + String(repeating: "a: b\r\n", count: 64) + "\r\n") == nil)
    }

    @Test("no cut of a plain request is one")
    func cut() {
        let whole = Array("GET /r/TOKEN?a=b HTTP/1.1\r\nHost: links.example\r\nUser-Agent: Mozilla/5.0\r\n\r\n".utf8)
        for length in 0..<whole.count {
            let part = Array(whole[..<length])
            let isTaken = PlainRequest(part.span, RecentAgents()) != nil
            #expect(!isTaken, "\(length)")
        }
    }

    /// Every place of a request is overwritten by every byte: what is still taken for plain, the decoder takes for the
    /// same request.
    @Test("no byte in any place makes a plain request mean something else than to the decoder")
    func everyByte() throws {
        let fields = "Host: x\r\nAccept: text/html\r\nUser-Agent: curl/8.5\r\nSec-GPC: 1\r\nPurpose: prefetch\r\n"
        let whole = Array("GET /r/TOK/ HTTP/1.1\r\n\(fields)\r\n".utf8)
        let agents = RecentAgents()
        var taken = 0
        for place in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = whole
                changed[place] = byte
                guard let plain = PlainRequest(changed.span, agents) else { continue }
                taken += 1
                let text = escaped(changed)
                let head = try #require(try decoded(text), "\(text)")
                #expect(plain.request == RedirectRequest(head), "\(text)")
                #expect(String(decoding: changed[plain.token], as: UTF8.self) == token(in: head.uri), "\(text)")
                #expect(plain.length == whole.count)
            }
        }
        #expect(taken > 1000)
    }
}
