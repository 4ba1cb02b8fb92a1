import Consent
import Counting
import Glibc
import Identifiers
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport
import Testing
import TrackingIDs

@testable import HTTPConnections
@testable import Redirect

/// A listener with the redirect behind the decoder of every connection and a stub in the place of the router, on a real
/// socket. The message store, the spool and the clock are fakes.
struct PublicServer: Sendable {
    let messages: FakeMessageStore
    let spool = FakeSpool()
    let clock = FakeClock()
    let faults = FaultList()
    let rules = RecordingRulesTable()
    let keys: CurrentKeyRing
    let directory: LinkDirectory
    let router = Note<[String]>([])
    /// How many bytes the decoders of all connections were given.
    let decoded = Note(0)
    /// What was told of requests that were answered before the router.
    let times = NotedTimes()
    private let redirect: Note<RedirectService?> = Note(nil)
    private let routerIsHeld = Note(false)
    private let routerIsImmediate = Note(false)
    private let accepted = Note<[any Channel]>([])
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let listener: Note<(any Channel)?> = Note(nil)

    /// Runs `body` with a server whose store knows one message, and whose organization is restrictive.
    static func run(_ body: (PublicServer) async throws -> Void) async throws {
        let server = try PublicServer()
        try await server.start()
        try await withCleanUp {
            try await body(server)
        } cleanUp: {
            try await server.stop()
        }
    }

    /// Runs `body` with a server that has the message in memory.
    static func runKnowing(_ body: (PublicServer) async throws -> Void) async throws {
        try await run { server in
            _ = try await server.directory.find(.sample())
            try await body(server)
        }
    }

    /// The path of one of the message's links.
    func path(link: UInt16 = 1, recipient: UInt64 = 7) throws -> String {
        "/r/" + (try keys.value.token(recipient: recipient, link: link))
    }

    private init() throws {
        messages = FakeMessageStore(try .sample())
        keys = CurrentKeyRing(try .sample())
        directory = LinkDirectory(store: messages, table: LinkTable(rules: rules))
        rules.recordingReloaded([:], enforcement: .restrictive, in: try .acme())
    }

    private func start() async throws {
        let writer = SpoolWriter(spool: spool, onCommit: { _ in }, report: { [faults] in faults.add($0) })
        let redirect = try await RedirectService(
            group: group,
            RedirectResources(
                directory: directory, keys: keys, writer: writer, clock: { [clock] in clock.now },
                report: { [faults] in faults.add($0) }),
            times: times)
        self.redirect.value = redirect
        listener.value = try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [accepted, router, decoded, routerIsHeld, routerIsImmediate] channel in
                accepted.value += [channel]
                return channel.eventLoop.makeCompletedFuture {
                    try redirect.configure(channel) { channel in
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(
                            StubRouter(seen: router, isHeld: routerIsHeld, isImmediate: routerIsImmediate))
                        let reader = try pipeline.handler(type: PlainRequestReader.self)
                        try pipeline.addHandler(ByteCounter(decoded), position: .after(reader))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private func stop() async throws {
        spool.isStuck = false
        messages.isHeld = false
        try await listener.value?.close()
        try await group.shutdownGracefully()
    }

    /// From now on, connections end with their next answer.
    func leave() { redirect.value?.beginLeaving() }

    /// A metric by its name and label, as operators read it.
    func metric(_ name: String) throws -> Int {
        let redirect = try #require(redirect.value)
        let text = PrometheusText(redirect.metrics.metrics + redirect.reportMetrics.metrics).text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }, "\(name)")
        return try #require(Int(line.dropFirst(name.utf8.count + 1)))
    }

    func connect() async throws -> Client {
        let port = try #require(listener.value?.localAddress?.port)
        let received = Received()
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return Client(channel: channel, received: received)
    }

    /// Sends `text` on a connection of its own and gives what was answered before the connection was closed.
    func answer(to text: String) async throws -> String {
        let client = try await connect()
        try await client.send(text)
        #expect(await client.isClosed(), "\(client.text)")
        return client.text
    }

    /// The router answers requests for `/slow` no sooner than this is unset.
    func holdRouter() { routerIsHeld.value = true }

    /// The router answers before it returns from reading, and not in a later turn of the event loop.
    func answerAtOnce() { routerIsImmediate.value = true }

    func releaseRouter() async throws {
        routerIsHeld.value = false
        for channel in accepted.value {
            try await channel.eventLoop.submit { channel.pipeline.fireUserInboundEventTriggered(StubRouter.Release()) }
                .get()
        }
    }

    /// What the first connection notes of requests and answers, by which it is found idle.
    func activity() async throws -> (lastAnswer: Int?, isMidRequest: Bool) {
        let channel = try #require(accepted.value.first)
        return try await channel.eventLoop.submit {
            let handler = try channel.pipeline.syncOperations.handler(type: ConnectionIdleHandler.self)
            return (handler.lastAnswer, handler.isMidRequest)
        }.get()
    }

    /// Tells the connections that the server is about to close.
    func quiesce() async throws {
        for channel in accepted.value {
            try await channel.eventLoop.submit {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }.get()
        }
    }

    /// Takes consent from the recipient that sample tokens name.
    func withdraw() throws {
        let consent = ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: 1)), state: .withdrawn, occurredAt: .noon, validUntil: nil)
        rules.consentChanged(
            [ConsentChange(reference: try .sample(), purpose: .tracking, status: .inForce(consent))], in: try .acme())
    }
}

/// The client's end of a connection.
struct Client: Sendable {
    fileprivate let channel: any Channel
    let received: Received

    var text: String { received.text }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Says that nothing more will be sent, and goes on listening.
    func closeOutput() async throws { try await channel.close(mode: .output) }

    func close() async throws { try await channel.close() }

    /// Ends the connection without waiting for anything: the server gets a reset.
    func reset() async throws {
        let socket = try #require(channel as? any SocketOptionProvider)
        try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close()
    }

    /// Whether the server closes the connection.
    func isClosed(within limit: Duration = .seconds(60)) async -> Bool {
        await eventually(within: limit) { received.isClosed }
    }

    /// Whether so many answers have come.
    func hasAnswers(_ count: Int) async -> Bool {
        await eventually { text.matches(of: #/HTTP/1\.1 \d\d\d /#).count >= count }
    }
}

final class Received: Sendable {
    private let content = Note("")
    private let closed = Note(false)

    var text: String { content.value }
    var isClosed: Bool { closed.value }

    fileprivate func add(_ text: String) { content.value += text }
    fileprivate func close() { closed.value = true }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: Received

    init(_ received: Received) { self.received = received }

    func channelRead(context _: ChannelHandlerContext, data: NIOAny) {
        received.add(String(buffer: unwrapInboundIn(data)))
    }
    func channelInactive(context _: ChannelHandlerContext) { received.close() }
    func errorCaught(context: ChannelHandlerContext, error _: any Error) { context.close(promise: nil) }
}

/// Stands in the place of Hummingbird's router: answers every request with its path.
final class StubRouter: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    struct Release: Sendable {}

    private let seen: Note<[String]>
    private let isHeld: Note<Bool>
    private let isImmediate: Note<Bool>
    private var path = ""
    private var waiting: [String] = []

    init(seen: Note<[String]>, isHeld: Note<Bool> = Note(false), isImmediate: Note<Bool> = Note(false)) {
        self.seen = seen
        self.isHeld = isHeld
        self.isImmediate = isImmediate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): path = head.uri
        case .body(let bytes): path += "+\(bytes.readableBytes)"
        case .end:
            seen.value += [path]
            waiting.append(path)
            if isImmediate.value {
                answer(context)
            } else {
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                context.eventLoop.execute { bound.value.0.answer(bound.value.1) }
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is Release: answer(context)
        case ChannelEvent.inputClosed:
            seen.value += ["input closed"]
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.eventLoop.execute { bound.value.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Closes, as Hummingbird does. What is malformed is the gate's to answer.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !(error is HTTPParserError) { context.close(promise: nil) }
    }

    private func answer(_ context: ChannelHandlerContext) {
        while let path = waiting.first, !(isHeld.value && path.hasPrefix("/slow")) {
            waiting.removeFirst()
            let headers = HTTPHeaders([("Content-Length", "\(path.utf8.count)")])
            context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: headers))), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: path)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
