import JSON
import Webhooks

extension RelayedDelivery {
    /// - Returns: `nil` if the value is no delivery of this service.
    init?(_ value: JSONValue, leasedSince leaseBegin: ContinuousClock.Instant) {
        guard case .object(let members) = value, let token = members.text("delivery"),
            let endpoint = members.text("endpoint"), let url = members.text("url").flatMap({ try? EndpointURL($0) }),
            let id = members.text("webhookId"), let signatures = members.text("webhookSignature"),
            case .number(let number) = members["webhookTimestamp"], let timestamp = number.int64,
            let contentType = members.text("contentType"), let body = members.text("body")
        else { return nil }
        lease = RelayedLease(token: token, endpoint: endpoint, end: leaseBegin + LeasedEvent.lifetime)
        renderedSince = leaseBegin
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
