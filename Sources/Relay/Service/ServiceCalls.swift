import ConsentLinkClient
import JSON
import NIOHTTP1
import Webhooks

/// The three calls of a relay, for one organization.
struct ServiceCalls: Sendable {
    private static let wait = 20
    private static let limit = 16
    /// How long an answer may take at most.
    private static let patience = Duration.seconds(wait + 15)
    /// How long the answer to ``renew(_:)`` may take at most. This is also the greatest age of the body in the answer.
    static let renewalPatience = Duration.seconds(5)

    /// For requests that wait for new events.
    private let takes: ConsentLinkAPI
    /// For all others.
    private let reports: ConsentLinkAPI
    private let path: String
    private let identity: RelayIdentity

    /// - Parameter address: of a service's private listener.
    /// - Throws: `ConsentLinkError` for an address or a key that is none.
    init(
        _ address: String, key: String, over connections: ServiceConnectionSets, organization: String,
        identity: RelayIdentity
    ) throws(ConsentLinkError) {
        takes = try ConsentLinkAPI(address, key: key, retries: .never, over: connections.takes)
        reports = try ConsentLinkAPI(address, key: key, retries: .never, over: connections.reports)
        path = "/v1/orgs/\(organization)/deliveries"
        self.identity = identity
    }

    /// Waits for due events and returns them.
    /// - Throws: `ConsentLinkError` or `CancellationError`.
    func take() async throws -> [RelayedDelivery] {
        let (answer, exchange) = try await post("take", over: takes) { writer in
            writer.member("limit", Self.limit)
            writer.member("wait", Self.wait)
        }
        guard case .object(let members) = answer, case .array(let items) = members["deliveries"] else {
            throw ConsentLinkError.unexpectedAnswer("it has no deliveries")
        }
        let waited: Duration? =
            if case .number(let number) = members["waitedMilliseconds"] {
                number.int64.map { .milliseconds($0) }
            } else { nil }
        let leaseBegin = exchange.leaseBegin(waited: waited)
        return items.compactMap { RelayedDelivery($0, leasedSince: leaseBegin) }
    }

    /// Gets a delivery again, before it is sent.
    /// - Throws: `ConsentLinkError` or `CancellationError`. The status 409 means that it must not be sent.
    func renew(_ token: String) async throws -> RelayedDelivery {
        let (answer, exchange) = try await post("renew", over: reports, patience: Self.renewalPatience) { writer in
            writer.member("delivery", token)
        }
        guard let delivery = RelayedDelivery(answer, leasedSince: exchange.leaseBegin(waited: .zero)) else {
            throw ConsentLinkError.unexpectedAnswer("it is no delivery")
        }
        return delivery
    }

    /// Reports the result of a delivery.
    /// - Parameter wantsNext: whether this relay takes the next event of the same endpoint.
    /// - Returns: that event, if there is one.
    func report(
        _ outcome: DeliveryOutcome, of token: String, milliseconds: Int, wantsNext: Bool
    ) async throws -> RelayedDelivery? {
        let durations = DeliveryAttempt.durations
        let (answer, exchange) = try await post("report", over: reports) { writer in
            writer.member("delivery", token)
            writer.member("milliseconds", min(max(milliseconds, durations.lowerBound), durations.upperBound))
            writer.member("more", wantsNext)
            switch outcome {
            case .answered(let status, let wish):
                writer.member("status", status)
                if let wish { writer.member("retryAfter", wish) }
            case .failed(let failure): writer.member("reason", failure.rawValue)
            }
        }
        guard case .object(let members) = answer, let next = members["next"] else { return nil }
        return RelayedDelivery(next, leasedSince: exchange.leaseBegin(waited: .zero))
    }

    private func post(
        _ name: String, over api: ConsentLinkAPI, patience: Duration = patience, _ fill: (inout JSONWriter) -> Void
    ) async throws -> (JSONValue, ServiceExchange) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("relay")
            writer.object { writer in
                writer.member("id", identity.relay)
                writer.member("process", identity.process)
            }
            fill(&writer)
        }
        let request = APIRequest(.POST, "\(path)/\(name)", body: writer.bytes, patience: patience)
        let sent = ContinuousClock.now
        let answer = try await api.transport.answer(to: request)
        let exchange = ServiceExchange(sent: sent, answered: .now)
        return ((try? JSONValue.parse(answer.bytes)) ?? .null, exchange)
    }
}
