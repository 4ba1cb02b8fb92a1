package import Identifiers

/// A delivery for a relay: the URL, the headers with the signature, and the body.
package struct Delivery: Sendable {
    /// The token of its lease.
    package let token: [UInt8]
    package let endpoint: EndpointID
    package let url: EndpointURL
    package let signature: WebhookSignature
    package let body: [UInt8]

    package init(
        token: [UInt8], endpoint: EndpointID, url: EndpointURL, signature: WebhookSignature, body: [UInt8]
    ) {
        self.token = token
        self.endpoint = endpoint
        self.url = url
        self.signature = signature
        self.body = body
    }
}
