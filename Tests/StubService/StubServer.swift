import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A service on a real socket that answers as a test says, and keeps what it was asked.
package final class StubServer: Sendable {
    package struct Request: Sendable {
        package let method: String
        package let path: String
        package let headers: [String: String]
        package let body: String

        /// Such as `POST /v1/orgs`.
        package var line: String { "\(method) \(path)" }
    }

    package struct Reply: Sendable {
        package var status = 200
        /// Without a `Content-Type`, the type that the request accepts or has is added.
        package var headers: [(String, String)] = []
        /// Whether no `Content-Type` is added.
        package var isUntyped = false
        package var body = ""
        /// Whether the connection is closed before the answer has come to its end.
        package var breaksOff = false
        /// Whether the connection is closed without any answer.
        package var isSilent = false
        /// Whether nothing comes behind the body: the answer does not come to its end, and the connection stays open.
        package var stalls = false
        /// Whether the body has neither a length nor chunks, and ends with the connection.
        package var isUnframed = false

        package init(
            status: Int = 200, headers: [(String, String)] = [], isUntyped: Bool = false, body: String = "",
            breaksOff: Bool = false, isSilent: Bool = false, stalls: Bool = false
        ) {
            self.isUntyped = isUntyped
            self.status = status
            self.headers = headers
            self.body = body
            self.breaksOff = breaksOff
            self.isSilent = isSilent
            self.stalls = stalls
        }

        package static func json(_ body: String, status: Int = 200) -> Reply {
            Reply(status: status, headers: [("Content-Type", "application/json")], body: body)
        }

        /// RFC 9457.
        package static func problem(_ status: Int, _ detail: String, errors: String? = nil) -> Reply {
            let more = errors.map { #","errors":\#($0)"# } ?? ""
            return json(#"{"title":"t","status":\#(status),"detail":"\#(detail)"\#(more)}"#, status: status)
        }
    }

    package let base: String
    private let channel: any Channel
    private let asked: Log

    /// What was asked, in the order in which it came.
    package var requests: [Request] { asked.requests.withLock { $0 } }

    private final class Log: Sendable {
        let requests = Mutex<[Request]>([])
    }

    private init(_ answer: @escaping @Sendable (Request, Int) -> Reply) async throws {
        let asked = Log()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    let handler = Handler { request in
                        let count = asked.requests.withLock { requests in
                            requests.append(request)
                            return requests.count
                        }
                        return answer(request, count)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.asked = asked
        self.channel = channel
        base = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
    }

    /// - Parameters:
    ///   - answer: what to reply to a request, and to the how manieth it is, from 1.
    ///   - body: is given the server, which is closed behind it.
    package static func with<Result>(
        _ answer: @escaping @Sendable (Request, Int) -> Reply, _ body: (StubServer) async throws -> Result
    ) async throws -> Result {
        let server = try await StubServer(answer)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// From now on nothing listens at its address.
    package func stop() async { try? await channel.close() }

    /// An address at which nothing listens.
    package static func nowhere() async throws -> String { try await with({ _, _ in Reply() }, { $0.base }) }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: (Request) -> Reply
        private var head: HTTPRequestHead?
        private var body = ByteBuffer()

        init(_ answer: @escaping (Request) -> Reply) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body.clear()
            case .body(var part): body.writeBuffer(&part)
            case .end:
                guard let head else { return }
                let headers = head.headers.map { ($0.name.lowercased(), $0.value) }
                let request = Request(
                    method: head.method.rawValue, path: head.uri,
                    headers: Dictionary(headers) { first, _ in first }, body: String(buffer: body))
                write(answer(request), to: request, context)
            }
        }

        private func write(_ reply: Reply, to request: Request, _ context: ChannelHandlerContext) {
            guard !reply.isSilent else { return context.close(promise: nil) }
            var headers = HTTPHeaders(reply.headers)
            if !reply.isUntyped, !headers.contains(name: "Content-Type"),
                let type = request.headers["accept"] ?? request.headers["content-type"]
            {
                headers.add(name: "Content-Type", value: type)
            }
            let length = reply.body.utf8.count + (reply.breaksOff || reply.stalls ? 1 : 0)
            if !reply.isUnframed { headers.add(name: "Content-Length", value: "\(length)") }
            // A client keeps no connection of one test for the next, whose server may have the same port.
            headers.add(name: "Connection", value: "close")
            let head = HTTPResponseHead(
                version: reply.isUnframed ? .http1_0 : .http1_1,
                status: HTTPResponseStatus(statusCode: reply.status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: reply.body)))), promise: nil)
            if reply.breaksOff || reply.isUnframed {
                context.close(promise: nil)
            } else if !reply.stalls {
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
