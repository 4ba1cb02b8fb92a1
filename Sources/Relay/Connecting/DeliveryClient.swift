import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Webhooks

/// Sends a delivery over a separate connection, to an address that the policy has checked. It follows no redirect, uses
/// no proxy, and reads no more than 64 KiB of an answer's body.
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
    let now: @Sendable () -> ContinuousClock.Instant

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

    /// Connects to the endpoint, and sends its delivery then.
    /// - Parameters:
    ///   - delivery: as the service gave it. Its body may be too old to be sent.
    ///   - current: returns the delivery in the state in which it may be sent. It is called once there is a connection.
    /// - Returns: the result, never an error.
    func send(
        _ delivery: RelayedDelivery,
        _ current: @Sendable (RelayedDelivery) async throws(SendingResult.Reason) -> RelayedDelivery
    ) async -> SendingResult {
        do throws(DeliveryFailure) {
            guard let addresses = try await policy.addresses(for: delivery.request.url) else {
                return .notSent(.lookUpsBusy)
            }
            let deadline = NIODeadline.now() + timeout
            var result = SendingResult.ended(.failed(.cannotConnect))
            for address in addresses.prefix(Self.addressesTried) where result == .ended(.failed(.cannotConnect)) {
                guard NIODeadline.now() < deadline else { return .ended(.failed(.timedOut)) }
                guard isInTime(deadline, delivery.lease.end) else { return .notSent(.leaseEnds) }
                result = await send(delivery, to: address, until: deadline, current)
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
        _ delivery: RelayedDelivery, to address: NetworkAddress, until deadline: NIODeadline,
        _ current: @Sendable (RelayedDelivery) async throws(SendingResult.Reason) -> RelayedDelivery
    ) async -> SendingResult {
        let connection: EndpointConnection
        do throws(EndpointConnection.Fault) {
            connection = try await .open(
                to: delivery.request.url, at: address, tls: tls, on: group.next(),
                within: min(Self.connectTimeout, deadline - .now()), until: deadline)
        } catch {
            switch error {
            case .endpoint(let failure): return .ended(.failed(failure))
            case .localShortage: return .notSent(.localShortage)
            }
        }
        let connected = NIODeadline.now()
        let young: RelayedDelivery
        do throws(SendingResult.Reason) {
            young = try await current(delivery)
        } catch {
            connection.close()
            return .notSent(error)
        }
        // What the service takes is not the endpoint's time.
        let end = deadline + (NIODeadline.now() - connected)
        guard isInTime(end, young.lease.end) else {
            connection.close()
            return .notSent(.leaseEnds)
        }
        let outcome = await connection.answer(to: young.request, until: end)
        connection.close()
        return .ended(outcome)
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
