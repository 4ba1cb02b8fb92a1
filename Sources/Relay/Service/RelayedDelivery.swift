import JSON
import Webhooks

/// A delivery from the service to a relay. It is only in memory until its result is reported.
struct RelayedDelivery: Sendable {
    let token: String
    let endpoint: String
    let request: SignedRequest
    /// After this time another relay may have the event.
    let leaseEnd: ContinuousClock.Instant

    /// - Returns: `nil` if the value is no delivery of this service.
    init?(_ value: JSONValue, leasedSince leaseBegin: ContinuousClock.Instant) {
        guard case .object(let members) = value, let token = members.text("delivery"),
            let endpoint = members.text("endpoint"), let url = members.text("url").flatMap({ try? EndpointURL($0) }),
            let id = members.text("webhookId"), let signatures = members.text("webhookSignature"),
            case .number(let number) = members["webhookTimestamp"], let timestamp = number.int64,
            let contentType = members.text("contentType"), let body = members.text("body")
        else { return nil }
        self.token = token
        self.endpoint = endpoint
        leaseEnd = leaseBegin + LeasedEvent.lifetime
        request = SignedRequest(
            url: url, webhookID: id, timestamp: timestamp, signatures: signatures, contentType: contentType,
            body: Array(body.utf8))
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text) = self[name] { text } else { nil }
    }
}
