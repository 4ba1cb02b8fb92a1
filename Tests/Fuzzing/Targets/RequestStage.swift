import Consent
import Formats
import HTTPConnections
import Identifiers
import Interactions
import Messages
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TrackingIDs

@testable import Redirect

/// Connections as the service has them, with memory in the place of disks and a router that takes device reports, has
/// pictures, and answers everything else with nothing.
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

    /// What a connection is answered that brings `pieces`, one after the other, and then nothing more, before anything that
    /// takes time is done.
    func answers(to pieces: [[UInt8]]) throws -> [UInt8] {
        let loop = TurnByTurnLoop()
        let rules = RecordingRulesTable()
        rules.recordingReloaded([:], enforcement: .restrictive, in: organization)
        let worker = try RedirectWorker(
            loop: loop,
            RedirectResources(
                directory: LinkDirectory(store: messages, table: LinkTable(rules: rules)), keys: keys,
                writer: SpoolWriter(spool: SpoolInMemory(), onCommit: { _ in }, report: { _ in }),
                clock: { Samples.now }, report: { _ in }),
            counters: RedirectCounters())
        let channel = EmbeddedChannel()
        try RedirectService.configure(channel, worker: worker) { channel in
            try channel.pipeline.syncOperations.addHandler(ReportRouter(worker: worker, messages: messages))
        }
        let redirect = try channel.pipeline.syncOperations.handler(type: RedirectHandler.self)
        channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 80), promise: nil)
        for piece in pieces where channel.isActive {
            // What the decoder makes of nonsense is told to the redirect, and thrown here once more.
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
        }
        // When a request that is not whole is refused depends on who reads it; that it is, once no more can come, does not.
        if channel.isActive { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
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

/// Answers reports and pictures as their routes do if they take them, and everything else with nothing.
private final class ReportRouter: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let worker: RedirectWorker
    private let messages: MessagesInMemory
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(worker: RedirectWorker, messages: MessagesInMemory) {
        self.worker = worker
        self.messages = messages
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let bytes): body += Array(buffer: bytes)
        case .end:
            let picture = pictureHead
            let answer = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
            context.write(wrapOutboundOut(.head(picture ?? taken ?? answer)), promise: nil)
            if picture != nil, head?.method == .GET {
                context.write(
                    wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: TransparentPixel.gif)))), promise: nil)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// The header of the answer with a picture; `nil` where there is none.
    private var pictureHead: HTTPResponseHead? {
        guard let head, head.method == .GET || head.method == .HEAD else { return nil }
        let path = head.uri.prefix { $0 != "?" }
        guard path.hasPrefix("/o/"), path.hasSuffix(".gif"), path.utf8.count >= 7 else { return nil }
        let token = Array(path.utf8.dropFirst(3).dropLast(4))
        guard let id = worker.openPicture(token.span), let message = messages.known(id.message), !message.isDisabled
        else { return nil }
        let lines = String(decoding: TransparentPixel.preparedHead, as: UTF8.self).split(separator: "\r\n").dropFirst()
        var headers = HTTPHeaders()
        for line in lines.dropLast() {
            let parts = line.split(separator: ": ", maxSplits: 1)
            headers.add(name: String(parts[0]), value: String(parts[1]))
        }
        headers.add(name: "Date", value: date)
        return HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    }

    private var date: String {
        var date = HTTPDate()
        date.update(to: Samples.now)
        return String(decoding: date.bytes, as: UTF8.self)
    }

    /// The answer to a report that is taken.
    private var taken: HTTPResponseHead? {
        guard let head else { return nil }
        let uri = Array(head.uri.utf8)
        guard let target = DeviceTarget(uri.span),
            head.method == .POST || target.endpoint.takesGet && head.method == .GET
        else { return nil }
        let reading = try? target.endpoint.read(
            trackingID: uri.span.extracting(target.trackingID), query: uri.span.extracting(target.query),
            body: body.span)
        let organization = String(decoding: uri[target.organization], as: UTF8.self)
        guard let reading, target.endpoint == .adobeCampaign || (try? OrganizationID(organization)) != nil else {
            return nil
        }
        if case .report(let report) = reading {
            guard let id = worker.open(report.trackingID), report.speaks(of: id),
                let message = messages.known(id.message),
                target.endpoint == .adobeCampaign || message.organization.description == organization
            else { return nil }
        }
        var headers = HTTPHeaders()
        if let value = target.endpoint.cacheControl { headers.add(name: "Cache-Control", value: value) }
        headers.add(name: "Content-Length", value: "0")
        headers.add(name: "Date", value: date)
        return HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: target.endpoint.successCode), headers: headers)
    }
}

private struct MessagesInMemory: MessageStore {
    struct NotHere: Error {}

    private let messages: [StoredMessage]

    init(_ messages: StoredMessage...) { self.messages = messages }

    func known(_ id: MessageID) -> StoredMessage? { messages.first { $0.id == id } }

    func message(_ id: MessageID) async throws -> StoredMessage? { known(id) }

    func save(
        _: Message, in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool) { throw NotHere() }
    func addLinks(_: [MailLink], to _: MessageID, in _: OrganizationID) async throws -> [MessageLink?]? {
        throw NotHere()
    }
    func message(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { throw NotHere() }
    func messageWithoutAddedLinks(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { throw NotHere() }
    func size(of _: MessageID, in _: OrganizationID) async throws -> Int? { throw NotHere() }
    func sizeOfAddedLinks(of _: MessageID, in _: OrganizationID, upTo _: Int) async throws -> Int { throw NotHere() }
    func setDisabled(_: Bool, message _: MessageID, in _: OrganizationID) async throws -> StoredMessage? {
        throw NotHere()
    }
}

private struct SpoolInMemory: ClickSpool {
    func append(_: [Occurrence]) throws -> SpoolPosition { SpoolPosition(rawValue: 1) }
    func read(after position: SpoolPosition, limit _: Int) throws -> SpoolReading {
        SpoolReading(occurrences: [], position: position)
    }
    func park(_: [SpooledOccurrence], at _: SpoolPosition) throws {}
    func parked(after _: SpoolPosition) throws -> SpoolReading? { nil }
    func remove(through _: SpoolPosition) throws {}
    func eraseResiduals() throws {}
    func probe() throws {}
}
