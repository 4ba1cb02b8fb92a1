import Consent
import Formats
import Identifiers
import Messages
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TrackingIDs

@testable import Redirect

/// What is read without the HTTP decoder, links, pictures and reports of devices, the decoder reads alike; and whatever
/// a connection brings, in whatever pieces, its answers are answers.
struct RequestTarget: FuzzTarget {
    static let name = "request"

    private let stage: RequestStage

    init() throws { stage = try RequestStage() }

    func hold(_ input: [UInt8]) throws -> Bool {
        let agents = RecentAgents()
        var isTaken = false
        var rest = input
        while let length = try holdFirst(of: rest, agents) {
            rest = Array(rest.dropFirst(length))
            isTaken = true
        }
        let whole = try stage.answers(to: [input])
        let pieces = try stage.answers(to: Self.pieces(of: input))
        try demand(HTTPAnswers(whole) != nil && HTTPAnswers(pieces) != nil, "an answer is none")
        try demand(whole == pieces, "an answer depends on how its request was cut")
        return isTaken
    }

    /// - Returns: the length of the plain request for a link or a picture, or report, that `bytes` begin with; `nil`
    ///   where they begin otherwise.
    private func holdFirst(of bytes: [UInt8], _ agents: RecentAgents) throws -> Int? {
        if let plain = PlainRequest(bytes.span, agents) {
            let bytes = Array(bytes.prefix(plain.length))
            // The decoder takes these escaped alone.
            let escaped = bytes.flatMap { byte in
                byte < 0x80 ? [byte] : Array("%\(String(byte, radix: 16))".utf8)
            }
            try hold(plain, of: bytes, as: escaped)
            guard let same = PlainRequest(escaped.span, agents) else {
                guard escaped.count > PlainRequest.maximumLength else {
                    throw BrokenPromise(description: "a byte from 0x80 on decides whether a request is plain")
                }
                return plain.length
            }
            try hold(same, of: escaped, as: escaped)
            return plain.length
        }
        if let plain = PlainPicture(bytes.span, agents) {
            try hold(plain, as: Array(bytes.prefix(plain.length)))
            return plain.length
        }
        guard case .whole(let plain) = PlainReport.read(bytes.span, agents) else { return nil }
        try hold(plain, as: Array(bytes.prefix(plain.length)))
        return plain.length
    }

    /// - Parameter escaped: `bytes` as the decoder gets them.
    private func hold(_ plain: PlainRequest, of bytes: [UInt8], as escaped: [UInt8]) throws {
        try demand(plain.length == bytes.count, "a request is longer than what was sent")
        let (head, body) = try Self.decoded(escaped)
        try demand(body.isEmpty, "the decoder finds a body")
        try demand(plain.request == RedirectRequest(head), "the decoder understands another request")
        let token = RedirectPath.withToken(of: head.uri) { token in token.indices.map { token[$0] } }
        try demand(token == Array(bytes[plain.token]), "the decoder understands another token")
    }

    private func hold(_ plain: PlainPicture, as bytes: [UInt8]) throws {
        try demand(plain.length == bytes.count, "a request for a picture is longer than what was sent")
        let (head, body) = try Self.decoded(bytes)
        try demand(head.method == .GET && body.isEmpty, "the decoder understands another method, or finds a body")
        let path = head.uri.utf8.prefix { $0 != UInt8(ascii: "?") }
        let expected = Array("/o/".utf8) + bytes[plain.token] + Array(".gif".utf8)
        try demand(Array(path) == expected, "the decoder understands another path")
        let request = RedirectRequest(head)
        try demand(request.isKeepAlive && !request.mustStateKeepAlive, "the decoder ends the connection")
        try demand(plain.signals == request.signals, "the decoder understands another client")
    }

    private func hold(_ plain: PlainReport, as bytes: [UInt8]) throws {
        try demand(plain.length == bytes.count, "a report is longer than what was sent")
        let (head, body) = try Self.decoded(bytes)
        try demand(head.method == (plain.route.isGet ? .GET : .POST), "the decoder understands another method")
        let uri = Array(head.uri.utf8)
        guard let target = DeviceTarget(uri.span) else {
            throw BrokenPromise(description: "the decoder understands another target")
        }
        try demand(target.endpoint == plain.route.endpoint, "the decoder understands another endpoint")
        let request = RedirectRequest(head)
        try demand(request.isKeepAlive && !request.mustStateKeepAlive, "the decoder ends the connection")
        try demand(
            plain.hasGlobalPrivacyControl == request.signals.hasGlobalPrivacyControl,
            "the decoder understands another objection")
        guard let content = plain.content(in: bytes.span) else { return }
        let reading = try? target.endpoint.read(
            trackingID: uri.span.extracting(target.trackingID), query: uri.span.extracting(target.query),
            body: body.span)
        try demand(content.reading == reading, "the decoder understands another report")
        let organization = content.organization.map { Array($0.description.utf8) }
        try demand(
            organization ?? [] == Array(uri[target.organization]), "the decoder understands another organization")
    }

    /// What the decoder makes of one whole request, byte for byte.
    private static func decoded(_ bytes: [UInt8]) throws -> (head: HTTPRequestHead, body: [UInt8]) {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try channel.writeInbound(ByteBuffer(bytes: bytes.dropLast()))
        var parts: [HTTPServerRequestPart] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .end = part { throw BrokenPromise(description: "the decoder takes the request for shorter") }
            parts.append(part)
        }
        try channel.writeInbound(ByteBuffer(bytes: bytes.suffix(1)))
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) { parts.append(part) }
        guard case .head(let head)? = parts.first, case .end(nil)? = parts.last else {
            throw BrokenPromise(description: "the decoder does not take the request for one")
        }
        let body = parts.dropFirst().dropLast().map { part in
            if case .body(let bytes) = part { Array(buffer: bytes) } else { [UInt8]("another request".utf8) }
        }
        return (head, body.flatMap { $0 })
    }

    /// The input in pieces whose lengths come of the input itself, so that the same input is cut alike each time.
    private static func pieces(of input: [UInt8]) -> [[UInt8]] {
        var state = input.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var pieces: [[UInt8]] = []
        var rest = input[...]
        while !rest.isEmpty {
            state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
            let length = state >> 60 < 8 ? Int(state >> 56 % 4) + 1 : Int(state >> 40 % 200) + 1
            pieces.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return pieces
    }
}
