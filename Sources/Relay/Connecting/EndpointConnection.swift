import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Webhooks

/// A connection to an endpoint, for one request.
struct EndpointConnection: Sendable {
    private let channel: any Channel
    private let answer: EventLoopPromise<DeliveryOutcome>

    /// Why there is no connection.
    enum Fault: Error {
        case endpoint(DeliveryFailure)
        /// The relay lacks descriptors, memory or ports.
        case localShortage
    }

    /// Connects to an address. Over TLS the handshake is done on return, so that a request is sent as soon as it is
    /// written.
    /// - Parameters:
    ///   - connectTimeout: the time until the address accepts the connection.
    ///   - deadline: when the handshake must be done.
    static func open(
        to url: EndpointURL, at address: NetworkAddress, tls: NIOSSLContext, on loop: any EventLoop,
        within connectTimeout: TimeAmount, until deadline: NIODeadline
    ) async throws(Fault) -> EndpointConnection {
        let answer = loop.makePromise(of: DeliveryOutcome.self)
        let secured = loop.makePromise(of: Bool.self)
        answer.futureResult.whenComplete { _ in secured.succeed(false) }
        let timer = loop.scheduleTask(deadline: deadline) { answer.succeed(.failed(.timedOut)) }
        defer { timer.cancel() }
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .connectTimeout(connectTimeout)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try prepare(channel, url, tls, secured, answer)
                    }
                }
                .connect(to: try address.socket(port: url.port)).get()
        } catch {
            answer.succeed(.failed(.cannotConnect))
            throw LocalShortage.isCause(of: error) ? .localShortage : .endpoint(.cannotConnect)
        }
        let connection = EndpointConnection(channel: channel, answer: answer)
        guard url.isSecure, (try? await secured.futureResult.get()) != true else { return connection }
        let outcome = await connection.outcome
        connection.close()
        if case .failed(let failure) = outcome { throw .endpoint(failure) }
        throw .endpoint(.brokenAnswer)
    }

    private static func prepare(
        _ channel: any Channel, _ url: EndpointURL, _ tls: NIOSSLContext, _ secured: EventLoopPromise<Bool>,
        _ answer: EventLoopPromise<DeliveryOutcome>
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if url.isSecure {
            // Server name indication needs a name; for an address, the certificate must contain the address.
            let name = url.hostIsAddress ? nil : url.hostName
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        // Informational answers are counted, and are therefore not dropped.
        let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .forward)
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        try pipeline.addHandler(ResponseReader(answer, secured: url.isSecure ? secured : nil))
    }

    /// Sends the request.
    /// - Returns: the endpoint's answer, or why there was none until the deadline.
    func answer(to request: SignedRequest, until deadline: NIODeadline) async -> DeliveryOutcome {
        let timer = channel.eventLoop.scheduleTask(deadline: deadline) { answer.succeed(.failed(.timedOut)) }
        defer { timer.cancel() }
        channel.write(HTTPClientRequestPart.head(request.head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        return await outcome
    }

    private var outcome: DeliveryOutcome {
        get async { (try? await answer.futureResult.get()) ?? .failed(.brokenAnswer) }
    }

    /// Does not wait for the other side: one that does not answer the end of TLS would hold up the report, and the next
    /// event.
    func close() {
        answer.succeed(.failed(.brokenAnswer))
        channel.close(promise: nil)
    }
}
