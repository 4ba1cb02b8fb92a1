import Consent
import Identifiers
import Messages
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TrackingIDs

@testable import Redirect

/// What is read without the HTTP decoder, the decoder reads alike; and whatever a connection brings, in whatever pieces,
/// its answers are answers.
struct RequestTarget: FuzzTarget {
    static let name = "request"

    private let stage: RequestStage

    init() throws { stage = try RequestStage() }

    func hold(_ input: [UInt8]) throws -> Bool {
        var isTaken = false
        var rest = input[...]
        while let plain = PlainRequest(Array(rest).span) {
            try hold(plain, as: Array(rest.prefix(plain.length)))
            rest = rest.dropFirst(plain.length)
            isTaken = true
        }
        let whole = try stage.answers(to: [input])
        let pieces = try stage.answers(to: Self.pieces(of: input))
        try demand(HTTPAnswers(whole) != nil && HTTPAnswers(pieces) != nil, "an answer is none")
        try demand(whole == pieces, "an answer depends on how its request was cut")
        return isTaken
    }

    private func hold(_ plain: PlainRequest, as bytes: [UInt8]) throws {
        try demand(plain.length == bytes.count, "a request is longer than what was sent")
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try channel.writeInbound(ByteBuffer(bytes: bytes.dropLast()))
        guard try channel.readInbound(as: HTTPServerRequestPart.self) == nil else {
            throw BrokenPromise(description: "the decoder takes the request for shorter")
        }
        try channel.writeInbound(ByteBuffer(bytes: bytes.suffix(1)))
        guard case .head(let head) = try channel.readInbound(as: HTTPServerRequestPart.self),
            case .end(nil) = try channel.readInbound(as: HTTPServerRequestPart.self),
            try channel.readInbound(as: HTTPServerRequestPart.self) == nil
        else { throw BrokenPromise(description: "the decoder does not take the request for one") }
        try demand(plain.request == RedirectRequest(head), "the decoder understands another request")
        let token = RedirectPath.withToken(of: head.uri) { token in token.indices.map { token[$0] } }
        try demand(token == Array(bytes[plain.token]), "the decoder understands another token")
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
