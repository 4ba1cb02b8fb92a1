package import Cryptography
package import Identifiers

/// The headers of a delivery by Standard Webhooks (`docs/formats/webhooks.md`).
package struct WebhookSignature: Hashable, Sendable {
    /// The header `webhook-id`: the same for an event and an endpoint, however often the event is sent.
    package let id: String
    /// The header `webhook-timestamp`: the time of signing, in seconds since 1970.
    package let timestamp: Int64
    /// The header `webhook-signature`: a signature for each secret, the present one first.
    package let signatures: String

    /// - Throws: `CryptographyError` if HMAC is not available.
    package init(
        of body: [UInt8], id: String, at instant: Timestamp, with secrets: [EndpointSecret]
    ) throws(CryptographyError) {
        self.id = id
        timestamp = instant.millisecondsSince1970 / 1000
        var signed = Array("\(id).\(timestamp).".utf8)
        signed += body
        var all: [String] = []
        for secret in secrets {
            let tag = try HMACSHA256(key: secret.bytes).tag(of: signed.span)
            all.append("v1,\(Base64.encode(tag.span))")
        }
        signatures = all.joined(separator: " ")
    }

    /// The id of an event for an endpoint. Two endpoints get different ids, and an id reveals nothing.
    /// - Parameter event: ``WebhookEvent/id``.
    package static func id(of event: String, for endpoint: EndpointID) -> String {
        let hash = SHA256.hash(of: Array("\(endpoint)\n\(event)".utf8))
        var half = [UInt8](repeating: 0, count: 16)
        for index in half.indices { half[index] = hash[index] }
        return "msg_" + Base64URL.encode(half)
    }
}
