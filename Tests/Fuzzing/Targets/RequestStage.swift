import Consent
import Identifiers
import Interactions
import Messages
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TrackingIDs

@testable import Redirect

/// Connections as the service has them, with memory in the place of disks and a router that answers everything with
/// nothing.
struct RequestStage {
    private let organization: OrganizationID
    private let messages: MessagesInMemory
    private let keys: CurrentKeyRing

    init() throws {
        organization = try OrganizationID("acme")
        messages = MessagesInMemory(
            try Self.message(1, in: organization), try Self.message(2, in: organization, isDisabled: true))
        keys = CurrentKeyRing(try Samples.keyRing())
    }

    /// A message whose link, 1, and second button, 3, are tracked.
    private static func message(
        _ number: UInt64, in organization: OrganizationID, isDisabled: Bool = false
    ) throws -> StoredMessage {
        func link(_ target: String, isDeepLink: Bool = false) throws -> Message.Link {
            Message.Link(target: try TargetURL(stored: target), isDeepLink: isDeepLink)
        }
        var content = Message(name: "n\(number)")
        content.link = try link("https://shop.example/spring?a=b%2Fc&d=%20+e#top")
        content.actions = [
            Message.Action(id: "open", title: "Open", link: try link("https://shop.example/app", isDeepLink: true)),
            Message.Action(id: "buy", title: "Buy", link: try link("https://shop.example/buy")),
        ]
        return StoredMessage(
            id: try Samples.message(number), organization: organization, content: content, createdAt: Samples.now,
            isDisabled: isDisabled)
    }

    /// What a connection is answered that brings `pieces`, one after the other, before anything that takes time is done.
    func answers(to pieces: [[UInt8]]) throws -> [UInt8] {
        let loop = TurnByTurnLoop()
        let rules = RecordingRulesTable()
        rules.recordingReloaded([:], enforcement: .restrictive, in: organization)
        let worker = try RedirectWorker(
            loop: loop, directory: LinkDirectory(store: messages, rules: rules), keys: keys,
            writer: SpoolWriter(spool: SpoolInMemory(), onCommit: { _ in }, report: { _ in }),
            limit: ConnectionLimit(), counters: RedirectCounters(),
            clock: { Samples.now }, report: { _ in })
        let channel = EmbeddedChannel()
        try RedirectService.configure(channel, worker: worker, limits: NIOHTTPDecoderLimitConfiguration()) { channel in
            try channel.pipeline.syncOperations.addHandler(EmptyRouter())
        }
        let redirect = try channel.pipeline.syncOperations.handler(type: RedirectHandler.self)
        channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 80), promise: nil)
        for piece in pieces where channel.isActive {
            // What the decoder makes of nonsense is told to the redirect, and thrown here once more.
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
        }
        while redirect.isWaiting {
            guard loop.turn() else { throw BrokenPromise(description: "an answer never comes") }
        }
        var answers: [UInt8] = []
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data { answers += Array(buffer: bytes) }
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        loop.end()
        return answers
    }
}

extension RedirectHandler {
    /// Whether an answer depends on the store or the spool: the router here answers at once.
    fileprivate var isWaiting: Bool { stage == .owing }
}

private final class EmptyRouter: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

private struct MessagesInMemory: MessageStore {
    struct NotHere: Error {}

    private let messages: [StoredMessage]

    init(_ messages: StoredMessage...) { self.messages = messages }

    func message(_ id: MessageID) async throws -> StoredMessage? { messages.first { $0.id == id } }

    func save(
        _: Message, in _: OrganizationID, at _: Timestamp, once _: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool) { throw NotHere() }
    func addLinks(_: [MailLink], to _: MessageID, in _: OrganizationID) async throws -> [MessageLink?]? {
        throw NotHere()
    }
    func message(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { throw NotHere() }
    func setDisabled(_: Bool, message _: MessageID, in _: OrganizationID) async throws -> StoredMessage? {
        throw NotHere()
    }
}

private struct SpoolInMemory: ClickSpool {
    func append(_: [Occurrence]) throws -> SpoolPosition { SpoolPosition(rawValue: 1) }
    func read(after position: SpoolPosition, limit _: Int) throws -> SpoolReading {
        SpoolReading(occurrences: [], position: position)
    }
    func remove(through _: SpoolPosition) throws {}
    func eraseResiduals() throws {}
}
