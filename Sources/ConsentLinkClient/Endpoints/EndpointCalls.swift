import NIOHTTP1

extension OrganizationAPI {
    /// Makes an endpoint, which gets what is committed from then on. Scope: manage, and read to include recipients.
    ///
    /// ```swift
    /// let made = try await acme.createEndpoint(NewEndpoint(url: "https://crm.example/hooks", kinds: [.consentRecorded]))
    /// try vault.store(made.secret)
    /// ```
    ///
    /// After an error of which ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``endpoints()`` before you ask again,
    /// and remove one with this URL that is new: nobody knows its secret.
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

    /// Changes what an endpoint gets, or where. Scope: manage, and read where recipients are included.
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
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 for an endpoint that there is not, and for one that an earlier
    ///   try has removed.
    public func removeEndpoint(_ id: String) async throws { try await transport.delete(try path(ofEndpoint: id)) }

    /// Switches an endpoint on: it goes on where it stopped. Scope: manage.
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
    /// After an error of which ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``Endpoint/formerSecretUntil`` of
    /// ``endpoint(_:)``. Where it is new, deliveries are signed with a secret that nobody knows, and for a day with the
    /// one before. Rotating again ends the latter at once: the receiver then needs the newest secret at once.
    public func rotateEndpointSecret(_ id: String) async throws -> EndpointWithSecret {
        try await send(.POST, try path(ofEndpoint: id) + "/secret", EmptyRequest())
    }

    /// Delivers again what stands behind a place of the consent feed. Scope: manage.
    ///
    /// ```swift
    /// try await acme.replayEndpoint("3440a67a37cb65a7", after: "0")
    /// ```
    /// - Parameter cursor: of the consent feed, or of an event.
    @discardableResult
    public func replayEndpoint(_ id: String, after cursor: String) async throws -> Endpoint {
        try await send(.POST, try path(ofEndpoint: id) + "/replay", ReplayRequest(after: cursor), .always)
    }

    /// Has a test event sent, at once. Made again after an error, it may send a second one. Scope: manage.
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
