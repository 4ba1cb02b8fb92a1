package import NIOCore
package import NIOHTTP1
import NIOPosix
package import NIOSSL
package import Webhooks

/// Sends a delivery over a connection of its own, to an address that the policy has checked. It follows no redirect, uses
/// no proxy, and reads no more than 64 KiB.
package struct DeliveryClient: Sendable {
    /// For connecting, sending and the whole answer. The name is looked up before.
    private static let patience = TimeAmount.seconds(15)
    /// For one address, of which a name may have several.
    private static let connectPatience = TimeAmount.seconds(5)
    private static let addressesTried = 3

    private let policy: ConnectionPolicy
    private let tls: NIOSSLContext
    private let group: any EventLoopGroup
    private let patience: TimeAmount

    /// - Parameter patience: how long a delivery may take.
    package init(
        _ policy: ConnectionPolicy, tls: NIOSSLContext, group: any EventLoopGroup, patience: TimeAmount? = nil
    ) {
        self.policy = policy
        self.tls = tls
        self.group = group
        self.patience = patience ?? Self.patience
    }

    /// - Returns: what became of it, never an error.
    package func send(_ request: SignedRequest) async -> DeliveryOutcome {
        do throws(DeliveryFailure) {
            let addresses = try await policy.addresses(for: request.url)
            let deadline = NIODeadline.now() + patience
            var outcome = DeliveryOutcome.failed(.cannotConnect)
            for address in addresses.prefix(Self.addressesTried) where outcome == .failed(.cannotConnect) {
                guard NIODeadline.now() < deadline else { return .failed(.timedOut) }
                outcome = await send(request, to: address, until: deadline)
            }
            return outcome
        } catch {
            return .failed(error)
        }
    }

    private func send(
        _ request: SignedRequest, to address: NetworkAddress, until deadline: NIODeadline
    ) async -> DeliveryOutcome {
        let loop = group.next()
        let answer = loop.makePromise(of: DeliveryOutcome.self)
        let timer = loop.scheduleTask(deadline: deadline) { answer.succeed(.failed(.timedOut)) }
        defer { timer.cancel() }
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .connectTimeout(min(Self.connectPatience, deadline - .now()))
                .channelInitializer { [tls] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try Self.prepare(channel, request.url, tls, answer)
                    }
                }
                .connect(to: try address.socket(port: request.url.port)).get()
        } catch {
            answer.succeed(.failed(.cannotConnect))
            return .failed(.cannotConnect)
        }
        channel.write(HTTPClientRequestPart.head(request.head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        let outcome = (try? await answer.futureResult.get()) ?? .failed(.brokenAnswer)
        try? await channel.close()
        return outcome
    }

    private static func prepare(
        _ channel: any Channel, _ url: EndpointURL, _ tls: NIOSSLContext, _ answer: EventLoopPromise<DeliveryOutcome>
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if url.isSecure {
            // An address has no name to indicate; its certificate must have the address.
            let name = url.hostIsAddress ? nil : url.hostName
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
        try pipeline.addHandler(AnswerReader(answer, isSecure: url.isSecure))
    }
}

/// A delivery as it is written to a connection.
package struct SignedRequest: Sendable {
    package let url: EndpointURL
    package let head: HTTPRequestHead
    package let body: [UInt8]

    package init(
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
