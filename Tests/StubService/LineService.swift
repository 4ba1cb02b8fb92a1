import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A service on a real socket that composes lines while they are still sent, and breaks connections.
///
/// The first line of a request is the order, if the plan has one. Every other one is a recipient, or what else the plan
/// answers, and is answered with a payload.
package final class LineService: Sendable {
    package struct Plan: Sendable {
        /// After how many answers each connection breaks off, in the middle of the next one. Connections after the last
        /// of these do not.
        package var cuts: [Int] = []
        /// Whether the first line of a request is an order.
        package var hasOrder = true
        /// What to answer to a recipient, given as JSON, when it comes for the so manieth time, from 1.
        package var answer: @Sendable (_ recipient: String, _ time: Int) -> String = { recipient, _ in
            #"{"recipient":\#(recipient),"tracked":true,"decision":{"id":"1","outcome":"tracked","#
                + #""reason":"consentGiven"},"payload":{}}"#
        }
        /// What is answered at once.
        package var greeting = ""
        /// Connections, from 0, that take no line: they are answered so at once, while their request is still sent.
        package var refusals: [Int: StubServer.Reply] = [:]
        /// Whether recipients are taken and never answered. The answer does not end then.
        package var isSilent = false
        /// Whether every recipient is answered and the answer does not end.
        package var hasNoEnd = false

        package init() {}
    }

    private struct Log {
        var orders: [String] = []
        /// Of each connection, as JSON.
        var recipients: [[String]] = []
        var times: [String: Int] = [:]
        var maximumUnansweredCount = 0
    }

    /// Guards what the connections have noted.
    private let log = Mutex(Log())
    private let plan: Plan
    /// Guards the connections that are open.
    private let open = Mutex<[any Channel]>([])

    package var orders: [String] { log.withLock { $0.orders } }
    package var recipients: [[String]] { log.withLock { $0.recipients } }
    /// How many lines came, on all connections.
    package var recipientCount: Int { log.withLock { log in log.recipients.reduce(0) { $0 + $1.count } } }
    package var connections: Int { log.withLock { $0.recipients.count } }
    /// How many recipients had come and were not answered, at most.
    package var maximumUnansweredCount: Int { log.withLock { $0.maximumUnansweredCount } }

    private init(_ plan: Plan) { self.plan = plan }

    /// - Parameter body: is given the service and its address.
    package static func with<Result>(
        _ plan: Plan = Plan(), _ body: (LineService, String) async throws -> Result
    ) async throws -> Result {
        let service = LineService(plan)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false).flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(Handler(service))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(service, "http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// - Returns: which connection it is, from 0.
    private func begin() -> Int {
        log.withLock { log in
            log.recipients.append([])
            return log.recipients.count - 1
        }
    }

    /// Closes every open connection, also in the middle of an answer.
    package func breakConnections() async throws {
        let channels = open.withLock { open in
            defer { open = [] }
            return open
        }
        for channel in channels { try await channel.close() }
    }

    private func note(order: String) { log.withLock { $0.orders.append(order) } }

    /// - Returns: the answer.
    private func note(_ recipient: String, on connection: Int) -> String {
        let time = log.withLock { log in
            log.recipients[connection].append(recipient)
            log.times[recipient, default: 0] += 1
            return log.times[recipient, default: 0]
        }
        return plan.answer(recipient, time)
    }

    private func note(unanswered count: Int) {
        log.withLock { $0.maximumUnansweredCount = max($0.maximumUnansweredCount, count) }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let service: LineService
        private var connection = 0
        private var rest = ""
        private var hasOrder = false
        private var answered = 0
        private var isCut = false

        init(_ service: LineService) { self.service = service }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isCut else { return }
            switch unwrapInboundIn(data) {
            case .head(let request):
                connection = service.begin()
                service.open.withLock { $0.append(context.channel) }
                if let refusal = service.plan.refusals[connection] { return refuse(refusal, context) }
                let type = request.headers.first(name: "Accept") ?? "application/x-ndjson"
                let headers = HTTPHeaders([
                    ("ConsentLink-Message", "m1"), ("Content-Type", type), ("Connection", "close"),
                ])
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
                context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
                let greeting = ByteBuffer(string: service.plan.greeting)
                if greeting.readableBytes > 0 {
                    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(greeting))), promise: nil)
                }
            case .body(let part): read(String(buffer: part), context)
            case .end where service.plan.isSilent || service.plan.hasNoEnd: break
            case .end: context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        private func refuse(_ reply: StubServer.Reply, _ context: ChannelHandlerContext) {
            isCut = true
            let headers = HTTPHeaders(reply.headers + [("Connection", "close")])
            let status = HTTPResponseStatus(statusCode: reply.status)
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: reply.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.close(mode: .output, promise: nil)
        }

        private func read(_ text: String, _ context: ChannelHandlerContext) {
            var lines = (rest + text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            rest = lines.removeLast()
            if service.plan.hasOrder, !hasOrder, !lines.isEmpty {
                hasOrder = true
                service.note(order: lines.removeFirst())
            }
            let answers = lines.map { service.note($0, on: connection) }
            service.note(unanswered: answers.count)
            guard !service.plan.isSilent, !answers.isEmpty else { return }
            write(answers, context)
        }

        private func write(_ answers: [String], _ context: ChannelHandlerContext) {
            let cuts = service.plan.cuts
            let left = connection < cuts.count ? cuts[connection] - answered : .max
            var text = answers.prefix(left).map { $0 + "\n" }.joined()
            isCut = answers.count > left
            if isCut { text += answers[left].prefix(5) }
            answered += min(answers.count, left)
            let body = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text)))
            context.writeAndFlush(wrapOutboundOut(body), promise: nil)
            // A close of both ways would take back what the client has not read yet.
            if isCut { context.close(mode: .output, promise: nil) }
        }
    }
}
