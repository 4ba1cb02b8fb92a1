import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Webhooks

/// Sends a delivery over a separate connection, to an address that the policy has checked. It follows no redirect, uses
/// no proxy, and reads no more than 64 KiB.
struct DeliveryClient: Sendable {
    /// The time for connecting, sending and the whole answer. The name is looked up before.
    private static let timeout = TimeAmount.seconds(15)
    /// The time for one address; a name may have several.
    private static let connectTimeout = TimeAmount.seconds(5)
    private static let addressesTried = 3

    private let policy: ConnectionPolicy
    private let tls: NIOSSLContext
    private let group: any EventLoopGroup
    private let timeout: TimeAmount
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - timeout: how long a delivery may take.
    ///   - now: a clock that continues while the machine is suspended.
    init(
        _ policy: ConnectionPolicy, tls: NIOSSLContext, group: any EventLoopGroup, timeout: TimeAmount? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.policy = policy
        self.tls = tls
        self.group = group
        self.timeout = timeout ?? Self.timeout
        self.now = now
    }

    /// - Parameter leaseEnd: after this time another relay may have the event.
    /// - Returns: the result, never an error.
    func send(_ request: SignedRequest, before leaseEnd: ContinuousClock.Instant) async -> SendingResult {
        do throws(DeliveryFailure) {
            guard let addresses = try await policy.addresses(for: request.url) else { return .notSent(.lookUpsBusy) }
            let deadline = NIODeadline.now() + timeout
            var result = SendingResult.ended(.failed(.cannotConnect))
            for address in addresses.prefix(Self.addressesTried) where result == .ended(.failed(.cannotConnect)) {
                guard NIODeadline.now() < deadline else { return .ended(.failed(.timedOut)) }
                guard isInTime(deadline, leaseEnd) else { return .notSent(.leaseEnds) }
                result = await send(request, to: address, until: deadline, before: leaseEnd)
            }
            return result
        } catch {
            return .ended(.failed(error))
        }
    }

    /// Whether the lease lasts until the deadline, whose clock stops while the machine is suspended.
    private func isInTime(_ deadline: NIODeadline, _ leaseEnd: ContinuousClock.Instant) -> Bool {
        now() + .nanoseconds((deadline - .now()).nanoseconds) <= leaseEnd
    }

    private func send(
        _ request: SignedRequest, to address: NetworkAddress, until deadline: NIODeadline,
        before leaseEnd: ContinuousClock.Instant
    ) async -> SendingResult {
        let loop = group.next()
        let answer = loop.makePromise(of: DeliveryOutcome.self)
        let timer = loop.scheduleTask(deadline: deadline) { answer.succeed(.failed(.timedOut)) }
        defer { timer.cancel() }
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .connectTimeout(min(Self.connectTimeout, deadline - .now()))
                .channelInitializer { [tls] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try Self.prepare(channel, request.url, tls, answer)
                    }
                }
                .connect(to: try address.socket(port: request.url.port)).get()
        } catch {
            answer.succeed(.failed(.cannotConnect))
            return .ended(.failed(.cannotConnect))
        }
        guard isInTime(deadline, leaseEnd) else {
            answer.succeed(.failed(.cannotConnect))
            try? await channel.close()
            return .notSent(.leaseEnds)
        }
        channel.write(HTTPClientRequestPart.head(request.head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        let outcome = (try? await answer.futureResult.get()) ?? .failed(.brokenAnswer)
        try? await channel.close()
        return .ended(outcome)
    }

    private static func prepare(
        _ channel: any Channel, _ url: EndpointURL, _ tls: NIOSSLContext, _ answer: EventLoopPromise<DeliveryOutcome>
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if url.isSecure {
            // Server name indication needs a name; for an address, the certificate must contain the address.
            let name = url.hostIsAddress ? nil : url.hostName
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
        try pipeline.addHandler(ResponseReader(answer, isSecure: url.isSecure))
    }
}

/// A delivery in the form in which it is written to a connection.
struct SignedRequest: Sendable {
    let url: EndpointURL
    let head: HTTPRequestHead
    let body: [UInt8]

    init(
        url: EndpointURL, webhookID: String, timestamp: Int64, signatures: String, contentType: String, body: [UInt8]
    ) {
        self.url = url
        self.body = body
        head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: url.pathAndQuery,
            headers: [
                "Host": url.authority, "Content-Type": contentType, "Content-Length": "\(body.count)",
                "User-Agent": "ConsentLink", "Connection": "close", "webhook-id": webhookID,
                "webhook-timestamp": "\(timestamp)", "webhook-signature": signatures,
            ])
    }
}
