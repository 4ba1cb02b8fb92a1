import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections

/// Bytes from 0x80 on in the target of a request that is not plain.
@Suite struct UnescapedTargetTests {
    /// Each request as it is sent, and what the router gets of it: target and body. Some bodies look like requests.
    private static let requests: [(sent: String, read: String)] = [
        ("HEAD /r/T?utm=é&a=b HTTP/1.1\r\nHost: x\r\n\r\n", "/r/T?utm=%C3%A9&a=b "),
        ("GET /r/T?é?ü# HTTP/1.1\r\nHost: é?ü\r\nX: ?é\r\n\r\n", "/r/T?%C3%A9?%C3%BC# "),
        ("POST /e?é HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nGET /?é\r\n?", "/e?%C3%A9 GET /?é\r\n?"),
        ("\r\nPOST /e HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "/e "),
        (
            "POST /e HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "9\r\nGET /?é\n\r\n5;a=e\r\n\r\n?é\r\n0\r\nX: ?é\r\n\r\n", "/e GET /?é\n\r\n?é"
        ),
        (
            "POST /e HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "0A;1\r\n\n0\r\n\r\nGET \r\n000\r\n\r\n", "/e \n0\r\n\r\nGET "
        ),
        ("HEAD /r/Té HTTP/1.1\r\nHost: x\r\n\r\n", "/r/T%C3%A9 "),
        ("GET /r/T”/ü?é# HTTP/1.1\r\nHost: x\r\n\r\n", "/r/T%E2%80%9D/%C3%BC?%C3%A9# "),
        ("HEAD /r/T?ö HTTP/1.1\r\nHost: x\r\n\r\n", "/r/T?%C3%B6 "),
        ("GET /r/T?é HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", "/r/T?%C3%A9 "),
        ("GET http://x/?é HTTP/1.1\r\nHost: x\r\n\r\n", "http://x/?%C3%A9 "),
        ("GET /r/T?é HTTP/1.0\r\n\r\n", "/r/T?%C3%A9 "),
    ]

    @Test("they are escaped, and no other byte is, however the requests are cut", arguments: [1, 2, 3, 5, 17, 10_000])
    func cut(_ length: Int) throws {
        let sent = Array(Self.requests.map(\.sent).joined().utf8)
        let pieces = stride(from: 0, to: sent.count, by: length).map { sent[$0..<min($0 + length, sent.count)] }
        let (read, error) = try Self.read(pieces, takesUnescapedTargets: true)
        #expect(read == Self.requests.map(\.read))
        #expect(error == nil)
    }

    @Test(
        "they are refused in a method, where the line ends without a version, and where targets must be escaped",
        arguments: [
            ("GET é HTTP/1.1\r\nHost: x\r\n\r\n", true), ("GET /?é\r\n\r\n", true),
            ("GET /é HTTP/1.1\r\nHost: x\r\n\r\n", false), ("GET /é\r\n\r\n", true),
            ("GET /?\u{1}é HTTP/1.1\r\nHost: x\r\n\r\n", true), ("é /? HTTP/1.1\r\nHost: x\r\n\r\n", true),
            ("GET /#é HTTP/1.1\r\nHost: x\r\n\r\n", true), ("GET /?é HTTP/1.1\r\nHost: x\r\n\r\n", false),
        ])
    func refused(_ request: String, takesUnescapedTargets: Bool) throws {
        for length in [1, 10_000] {
            let sent = Array(request.utf8)
            let pieces = stride(from: 0, to: sent.count, by: length).map { sent[$0..<min($0 + length, sent.count)] }
            let (read, error) = try Self.read(pieces, takesUnescapedTargets: takesUnescapedTargets)
            #expect(read.isEmpty)
            #expect(error is HTTPParserError)
        }
    }

    @Test("a connection keeps nothing of the requests that were read")
    func memory() throws {
        let request = ByteBuffer(string: "HEAD /r/T?é HTTP/1.1\r\nHost: x\r\n\r\n")
        let decoder = RequestDecoder(limits: .init(), takesUnescapedTargets: true)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
        try channel.pipeline.syncOperations.addHandler(FramingGuard(decoder: decoder))
        for _ in 0..<10_000 {
            try channel.writeInbound(request)
            while try channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        }
        #expect(decoder.escapedCapacity < 4096)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a body is given on in the pieces in which it came, whatever it consists of", arguments: [true, false])
    func pieces(isChunked: Bool) throws {
        let decoder = RequestDecoder(limits: .init(), takesUnescapedTargets: true)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
        try channel.pipeline.syncOperations.addHandler(FramingGuard(decoder: decoder))
        let lines = String(repeating: "\n", count: 60_000)
        let head = "POST /e HTTP/1.1\r\nHost: x\r\n"
        let request =
            isChunked
            ? "\(head)Transfer-Encoding: chunked\r\n\r\n\(String(lines.utf8.count, radix: 16))\r\n\(lines)\r\n0\r\n\r\n"
            : "\(head)Content-Length: \(lines.utf8.count)\r\n\r\n\(lines)"
        for _ in 0..<3 { try channel.writeInbound(ByteBuffer(string: request)) }
        var bodies: [ByteBuffer] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .body(let bytes) = part { bodies.append(bytes) }
        }
        #expect(bodies.map(\.readableBytes) == [60_000, 60_000, 60_000])
        #expect(decoder.escapedCapacity < 4096, "no part of them is copied")
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// What the decoder reads of the pieces.
    private static func read(
        _ pieces: [ArraySlice<UInt8>], takesUnescapedTargets: Bool
    ) throws -> (requests: [String], error: (any Error)?) {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let decoder = RequestDecoder(limits: .init(), takesUnescapedTargets: takesUnescapedTargets)
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
        try channel.pipeline.syncOperations.addHandler(FramingGuard(decoder: decoder))
        var (requests, text): ([String], [UInt8]) = ([], [])
        var error: (any Error)?
        for piece in pieces {
            do {
                try channel.writeInbound(ByteBuffer(bytes: piece))
            } catch let found {
                error = error ?? found
            }
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                switch part {
                case .head(let head): text = Array("\(head.uri) ".utf8)
                case .body(let bytes): text += Array(buffer: bytes)
                case .end: requests.append(String(decoding: text, as: UTF8.self))
                }
            }
        }
        return (requests, error)
    }
}
