import NIOHTTP1

/// Calls that need the operator's key.
extension ConsentLinkAPI {
    /// The keys that tracking IDs are signed with, oldest first.
    ///
    /// ```swift
    /// let signing = try await api.signingKeys().last
    /// ```
    public func signingKeys() async throws -> [SigningKey] {
        let ring: KeyRing = try await transport.get("/v1/keyring")
        return ring.keys
    }

    /// From now on signs with a new key. Links that were signed before continue to work.
    ///
    /// ```swift
    /// let key = try await api.rotateSigningKey()
    /// ```
    ///
    /// If it throws an error whose ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``signingKeys()``: each
    /// rotation makes another key.
    @discardableResult
    public func rotateSigningKey() async throws -> SigningKey {
        try WireCoding.decode(from: try await transport.answer(to: APIRequest(.POST, "/v1/keyring/rotate")).bytes)
    }

    /// Removes a key. Links that it signed are unknown from then on.
    ///
    /// ```swift
    /// try await api.retireSigningKey(1)
    /// ```
    /// - Parameter force: removes the key even if such links may be valid; otherwise this is refused with 409.
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 if the key does not exist, also if an earlier try removed
    ///   it.
    public func retireSigningKey(_ id: Int, force: Bool = false) async throws {
        let body = try WireCoding.encode(Retirement(force: force))
        _ = try await transport.answer(
            to: APIRequest(.POST, "/v1/keyring/\(id)/retire", body: body, repetition: .whenUnavailable).withoutDocument)
    }

    /// The content of a tracking ID, and whether a click on it would be recorded now. The answer does not name the
    /// recipient.
    ///
    /// ```swift
    /// let isRecorded = try await api.inspect(trackingID).recorded ?? false
    /// ```
    public func inspect(_ trackingID: String) async throws -> InspectedTrackingID {
        try await transport.query("/v1/inspect", InspectionRequest(token: trackingID))
    }

    /// Copies everything that the service keeps, while it runs. Returns when all of it is on disk.
    ///
    /// ```swift
    /// let folder = try await api.backUp().folder
    /// ```
    ///
    /// A second call after an error may make a second copy.
    ///
    /// - Parameter patience: how long the backup may take; `nil` is the limit of ``waiting(atMost:)``, and without one
    ///   a day.
    public func backUp(within patience: Duration? = nil) async throws -> Backup {
        var transport = transport
        transport.limit = patience ?? transport.limit
        let request = APIRequest(.POST, "/v1/backup", patience: Patience.backup)
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }

    /// A link that signs the operator in to the console once, within ten minutes.
    ///
    /// ```swift
    /// let address = try await api.makeSignInLink().url
    /// ```
    /// After an error, a second call may leave an unused link, which expires by itself.
    ///
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 if the service has no console.
    public func makeSignInLink() async throws -> SignInLink {
        try WireCoding.decode(
            from: try await transport.answer(to: APIRequest(.POST, "/v1/console/sign-in-links")).bytes)
    }

    /// The nodes that share the service's database; empty if no other node shares it.
    ///
    /// ```swift
    /// let silent = try await api.nodes().filter { $0.state == "silent" }
    /// ```
    public func nodes() async throws -> [Node] {
        let list: NodeList = try await transport.get("/v1/nodes")
        return list.nodes
    }

    /// Removes a node that does not come back.
    ///
    /// ```swift
    /// try await api.removeNode("links-3")
    /// ```
    /// - Parameter force: removes the node even if clicks are in its spool, which are then lost; otherwise this is
    ///   refused with 409.
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 if the node does not exist, also if an earlier try removed
    ///   it.
    public func removeNode(_ name: String, force: Bool = false) async throws {
        let query = force ? "?force=true" : ""
        try await transport.delete("/v1/nodes/\(try PathSegment(name))\(query)")
    }
}
