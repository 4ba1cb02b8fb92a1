/// An endpoint and its new secret. The secret is shown only once, and is in no description of this value.
public struct EndpointWithSecret: Sendable, Hashable, Decodable, CustomStringConvertible, CustomReflectable {
    public let endpoint: Endpoint
    /// Begins with `whsec_`. Verify every delivery with it, for example with a library for Standard Webhooks.
    public let secret: String

    public var description: String { "endpoint \(endpoint.id)" }

    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }

    private enum CodingKeys: CodingKey { case secret }

    public init(from decoder: any Decoder) throws {
        endpoint = try Endpoint(from: decoder)
        secret = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .secret)
    }
}
