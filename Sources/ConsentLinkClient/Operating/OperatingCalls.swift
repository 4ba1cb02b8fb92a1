import NIOHTTP1

/// With the operator's key alone.
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

    /// Signs with a new key from now on. Links signed before go on working.
    ///
    /// ```swift
    /// let key = try await api.rotateSigningKey()
    /// ```
    ///
    /// After an error of which ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``signingKeys()``: each rotation
    /// makes another key.
    @discardableResult
    public func rotateSigningKey() async throws -> SigningKey {
        try WireCoding.decode(from: try await transport.answer(to: APIRequest(.POST, "/v1/keyring/rotate")).bytes)
    }

    /// Forgets a key. Links signed with it are then unknown.
    ///
    /// ```swift
    /// try await api.retireSigningKey(1)
    /// ```
    /// - Parameter force: also while such links may be alive, which otherwise is refused with 409.
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 for a key that there is not, and for one that an earlier try
    ///   has retired.
    public func retireSigningKey(_ id: Int, force: Bool = false) async throws {
        let body = try WireCoding.encode(Retirement(force: force))
        _ = try await transport.answer(
            to: APIRequest(.POST, "/v1/keyring/\(id)/retire", body: body, repetition: .whenUnavailable).withoutDocument)
    }

    /// What a tracking ID says, and whether following it would be recorded now. Whom it was sent to is not said.
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
    /// Made again after an error, it may make a second copy.
    ///
    /// - Parameter patience: how long that may take.
    public func backUp(within patience: Duration = .seconds(86_400)) async throws -> Backup {
        try WireCoding.decode(
            from: try await transport.answer(to: APIRequest(.POST, "/v1/backup", patience: patience)).bytes)
    }

    /// A link that signs the operator in to the console once, within ten minutes.
    ///
    /// ```swift
    /// let address = try await api.makeSignInLink().url
    /// ```
    /// Made again after an error, it may leave a link that nobody knows, and that ends by itself.
    ///
    /// - Throws: a problem with status 404 where the service has no console.
    public func makeSignInLink() async throws -> SignInLink {
        try WireCoding.decode(
            from: try await transport.answer(to: APIRequest(.POST, "/v1/console/sign-in-links")).bytes)
    }

    /// The nodes that share the service's database; empty where it shares it with none.
    ///
    /// ```swift
    /// let silent = try await api.nodes().filter { $0.state == "silent" }
    /// ```
    public func nodes() async throws -> [Node] {
        let list: NodeList = try await transport.get("/v1/nodes")
        return list.nodes
    }

    /// Forgets a node that does not come back.
    ///
    /// ```swift
    /// try await api.removeNode("links-3")
    /// ```
    /// - Parameter force: also while clicks are in its spool, which are lost; otherwise that is refused with 409.
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 for a node that there is not, and for one that an earlier try
    ///   has removed.
    public func removeNode(_ name: String, force: Bool = false) async throws {
        let query = force ? "?force=true" : ""
        try await transport.delete("/v1/nodes/\(try PathSegment(name))\(query)")
    }
}
