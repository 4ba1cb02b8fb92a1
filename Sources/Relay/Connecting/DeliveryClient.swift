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
    /// The longest time for a connection to one address; a name may have several.
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
            let tried = Array(addresses.prefix(Self.addressesTried))
            for (index, address) in tried.enumerated() {
                guard NIODeadline.now() < deadline else { return .ended(.failed(.timedOut)) }
                guard isInTime(deadline, delivery.lease.end) else { return .notSent(.leaseEnds) }
                let left = tried.count - index
                do throws(EndpointConnection.Fault) {
                    let connection = try await open(delivery.request.url, at: address, left: left, until: deadline)
                    return await send(delivery, over: connection, until: deadline, current)
                } catch {
                    guard case .endpoint(let failure) = error else { return .notSent(.localShortage) }
                    result = .ended(.failed(failure))
                    // Another address of the name may be one that can be reached. Nothing was sent yet.
                    guard failure == .cannotConnect || failure == .timedOut else { return result }
                }
            }
            return result
        } catch {
            return .ended(.failed(error))
        }
    }

    /// Connects within a share of the time: the others are for the addresses after it, and for the answer. The last
    /// address has all the rest for the handshake of TLS.
    /// - Parameter left: how many addresses are left to try, with this one.
    private func open(
        _ url: EndpointURL, at address: NetworkAddress, left: Int, until deadline: NIODeadline
    ) async throws(EndpointConnection.Fault) -> EndpointConnection {
        let now = NIODeadline.now()
        let share = min(Self.connectTimeout, .nanoseconds((deadline - now).nanoseconds / Int64(left + 1)))
        return try await .open(
            to: url, at: address, tls: tls, on: group.next(), within: share,
            until: left > 1 ? now + share : deadline)
    }

    /// Whether the lease lasts until the deadline, whose clock stops while the machine is suspended.
    private func isInTime(_ deadline: NIODeadline, _ leaseEnd: ContinuousClock.Instant) -> Bool {
        now() + .nanoseconds((deadline - .now()).nanoseconds) <= leaseEnd
    }

    private func send(
        _ delivery: RelayedDelivery, over connection: EndpointConnection, until deadline: NIODeadline,
        _ current: @Sendable (RelayedDelivery) async throws(SendingResult.Reason) -> RelayedDelivery
    ) async -> SendingResult {
        let connected = NIODeadline.now()
        let young: RelayedDelivery
        do throws(SendingResult.Reason) {
            young = try await current(delivery)
        } catch {
            connection.close()
            return .notSent(error)
        }
        // The time that the service takes does not count as the endpoint's.
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
