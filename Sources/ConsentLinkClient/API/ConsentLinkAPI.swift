public import AsyncHTTPClient

/// The private listener of a ConsentLink service, and a key for it.
///
/// ```swift
/// let api = try ConsentLinkAPI("http://127.0.0.1:8081", key: key)
/// let acme = try api.organization("acme")
/// ```
///
/// A value is cheap to make and to copy, and any number of tasks may use it at a time.
public struct ConsentLinkAPI: Sendable {
    package let transport: Transport

    /// - Parameters:
    ///   - url: scheme, host and port, such as `https://consentlink.internal`.
    ///   - key: begins with `clk_`.
    ///   - retries: how often a call is tried again.
    ///   - http: your own client, for instance with certificates of your own. It should follow no redirects, and have a
    ///     connection for each call and each stream that are open at a time: unless its
    ///     `concurrentHTTP1ConnectionsPerHostSoftLimit` is set, it has 8. A call that gets none in time (its time-out
    ///     for connections, 10 seconds) throws ``ConsentLinkError/notConnected(reason:)``. You must shut the client
    ///     down. Without one, all values share a client of 256 connections that is never shut down.
    public init(
        _ url: String, key: String, retries: RetryPolicy = RetryPolicy(), http: HTTPClient? = nil
    ) throws(ConsentLinkError) {
        guard let address = ServiceAddress(url) else {
            throw .invalidArgument("the service's address must be a URL such as http://127.0.0.1:8081")
        }
        transport = Transport(
            base: address.text, credential: try Credential(key), http: http ?? SharedHTTPClient.client,
            retries: retries)
    }

    /// The same with connections of its own.
    package init(
        _ url: String, key: String, retries: RetryPolicy, over connections: ServiceConnections
    ) throws(ConsentLinkError) {
        try self.init(url, key: key, retries: retries, http: connections.client)
    }

    init(_ transport: Transport) { self.transport = transport }

    /// The calls of one organization. This sends no request.
    ///
    /// ```swift
    /// let acme = try api.organization("acme")
    /// ```
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` if `id` cannot be an id.
    public func organization(_ id: String) throws(ConsentLinkError) -> OrganizationAPI {
        OrganizationAPI(id: id, transport: transport, path: "/v1/orgs/\(try PathSegment(id))")
    }
}

/// The calls of one organization. ``ConsentLinkAPI/organization(_:)`` makes it.
public struct OrganizationAPI: Sendable {
    public let id: String
    package let transport: Transport
    /// Such as `/v1/orgs/acme`.
    package let path: String
}
