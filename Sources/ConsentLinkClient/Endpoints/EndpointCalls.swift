import NIOHTTP1

extension OrganizationAPI {
    /// Makes an endpoint. It gets the events that are committed after that. Scope: manage, and read to include
    /// recipients.
    ///
    /// ```swift
    /// let new = NewEndpoint(url: "https://crm.example/hooks", kinds: [.consentRecorded])
    /// try vault.store(try await acme.createEndpoint(new).secret)
    /// ```
    ///
    /// If it throws an error whose ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``endpoints()`` before you try
    /// again, and remove a new endpoint with this URL: its secret is lost.
    public func createEndpoint(_ new: NewEndpoint) async throws -> EndpointWithSecret {
        try await send(.POST, endpointsPath, new)
    }

    /// All endpoints, the oldest first. Scope: manage.
    ///
    /// ```swift
    /// for endpoint in try await acme.endpoints() where endpoint.state == .failing { alert(endpoint.url) }
    /// ```
    public func endpoints() async throws -> [Endpoint] {
        let list: EndpointList = try await transport.get(endpointsPath)
        return list.endpoints
    }

    /// One endpoint. Scope: manage.
    ///
    /// ```swift
    /// let isBehind = try await acme.endpoint("3440a67a37cb65a7").failures > 0
    /// ```
    public func endpoint(_ id: String) async throws -> Endpoint { try await transport.get(try path(ofEndpoint: id)) }

    /// Changes what an endpoint gets, or its URL. Scope: manage, and read if recipients are included.
    ///
    /// ```swift
    /// try await acme.changeEndpoint(id, EndpointChange(kinds: [.consentRecorded, .recipientErased]))
    /// ```
    @discardableResult
    public func changeEndpoint(_ id: String, _ change: EndpointChange) async throws -> Endpoint {
        try await send(.PATCH, try path(ofEndpoint: id), change, .always)
    }

    /// Removes an endpoint and its attempts. Scope: manage.
    ///
    /// ```swift
    /// try await acme.removeEndpoint("3440a67a37cb65a7")
    /// ```
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 if the endpoint does not exist, also if an earlier try
    ///   removed it.
    public func removeEndpoint(_ id: String) async throws { try await transport.delete(try path(ofEndpoint: id)) }

    /// Switches an endpoint on: it continues where it stopped. Scope: manage.
    ///
    /// ```swift
    /// try await acme.enableEndpoint("3440a67a37cb65a7")
    /// ```
    @discardableResult
    public func enableEndpoint(_ id: String) async throws -> Endpoint {
        try await send(.POST, try path(ofEndpoint: id) + "/enable", EmptyRequest(), .always)
    }

    /// Switches an endpoint off. It loses nothing. Scope: manage.
    ///
    /// ```swift
    /// try await acme.disableEndpoint("3440a67a37cb65a7")
    /// ```
    @discardableResult
    public func disableEndpoint(_ id: String) async throws -> Endpoint {
        try await send(.POST, try path(ofEndpoint: id) + "/disable", EmptyRequest(), .always)
    }

    /// Gives an endpoint another secret. Deliveries are signed with both for a day. Scope: manage.
    ///
    /// ```swift
    /// try vault.add(try await acme.rotateEndpointSecret("3440a67a37cb65a7").secret)
    /// ```
    ///
    /// If it throws an error whose ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``Endpoint/formerSecretUntil``
    /// of ``endpoint(_:)``. If it is new, the new secret is lost: deliveries are signed with it, and for a day also
    /// with the one before. If you rotate again, the one before ends at once, and the receiver needs the newest secret
    /// at once.
    public func rotateEndpointSecret(_ id: String) async throws -> EndpointWithSecret {
        try await send(.POST, try path(ofEndpoint: id) + "/secret", EmptyRequest())
    }

    /// Delivers again all items after a place of the consent feed. Scope: manage, and read if recipients are included.
    ///
    /// ```swift
    /// try await acme.replayEndpoint("3440a67a37cb65a7", after: "0")
    /// ```
    /// - Parameter cursor: a cursor of the consent feed, or of an event.
    @discardableResult
    public func replayEndpoint(_ id: String, after cursor: String) async throws -> Endpoint {
        try await send(.POST, try path(ofEndpoint: id) + "/replay", ReplayRequest(after: cursor), .always)
    }

    /// Sends a test event at once. A second call after an error may send a second event. Scope: manage.
    ///
    /// ```swift
    /// let name = try await acme.testEndpoint("3440a67a37cb65a7").webhookId
    /// ```
    @discardableResult
    public func testEndpoint(_ id: String) async throws -> EndpointTest {
        try await send(.POST, try path(ofEndpoint: id) + "/test", EmptyRequest())
    }

    /// The last hundred attempts, the oldest first. Scope: manage.
    ///
    /// ```swift
    /// print(try await acme.deliveryAttempts(of: "3440a67a37cb65a7").last?.reason ?? "delivered")
    /// ```
    public func deliveryAttempts(of id: String) async throws -> [DeliveryAttempt] {
        let list: DeliveryAttemptList = try await transport.get(try path(ofEndpoint: id) + "/attempts")
        return list.attempts
    }

    private var endpointsPath: String { "\(path)/endpoints" }

    private func path(ofEndpoint id: String) throws(ConsentLinkError) -> String {
        "\(endpointsPath)/\(try PathSegment(id))"
    }

    private func send<Answer: Decodable>(
        _ method: HTTPMethod, _ path: String, _ body: some Encodable,
        _ repetition: APIRequest.Repetition = .whenNothingWasDone
    ) async throws -> Answer {
        let request = APIRequest(method, path, body: try WireCoding.encode(body), repetition: repetition)
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }
}
