import NIOHTTP1

extension ConsentLinkAPI {
    /// Makes an organization. Needs the operator's key.
    ///
    /// ```swift
    /// let made = try await api.createOrganization(NewOrganization(id: "acme", enforcement: .restrictive))
    /// try store(made.key.secret)
    /// ```
    /// If it throws an error whose ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``organizations()``: if the
    /// organization was made, the secret of its key is lost. Make another key with
    /// ``OrganizationAPI/createKey(scopes:name:)``, and delete the first.
    ///
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 409 if the id is taken.
    public func createOrganization(_ organization: NewOrganization) async throws -> CreatedOrganization {
        let request = APIRequest(.POST, "/v1/orgs", body: try WireCoding.encode(organization))
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }
}

extension ConsentLinkAPI {
    /// Every organization and its settings, oldest first. Needs the operator's key.
    ///
    /// ```swift
    /// for try await organization in api.organizations() { print(organization.id, organization.enforcement) }
    /// ```
    public func organizations() -> ListedItems<Organization> {
        ListedItems { after in
            let list: OrganizationList = try await transport.get(
                "/v1/orgs", QueryString().adding("after", after).adding("limit", PageSize.maximumCount))
            return ItemPage(items: list.organizations, next: list.next)
        }
    }
}

extension OrganizationAPI {
    /// The organization's settings. Scope: manage.
    ///
    /// ```swift
    /// let hosts = try await acme.settings().targetHosts
    /// ```
    public func settings() async throws -> Organization { try await transport.get(path) }

    /// Changes settings. A changed enforcement counts from the next click on. Scope: manage.
    ///
    /// ```swift
    /// try await acme.change(OrganizationChange(targetHosts: ["shop.example", "*.shop.example"]))
    /// ```
    @discardableResult
    public func change(_ change: OrganizationChange) async throws -> Organization {
        let request = APIRequest(.PATCH, path, body: try WireCoding.encode(change), repetition: .always)
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }

    /// Makes a key. The calling key must have all scopes of the new key itself. Scope: manage.
    ///
    /// ```swift
    /// let auditor = try await acme.createKey(scopes: [.read], name: "auditor")
    /// ```
    ///
    /// If it throws an error whose ``ConsentLinkError/mayHaveBeenDone`` is true, look at ``keys()`` before you try
    /// again, and delete a key of this name: its secret is lost.
    public func createKey(scopes: [Scope], name: String? = nil) async throws -> CreatedKey {
        let request = APIRequest(
            .POST, "\(path)/keys", body: try WireCoding.encode(NewKey(scopes: scopes, name: name)))
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }

    /// The organization's keys, without their secrets, oldest first. Scope: manage.
    ///
    /// ```swift
    /// for try await key in acme.keys() { print(key.id, key.name, key.scopes) }
    /// ```
    public func keys() -> ListedItems<APIKey> {
        ListedItems { after in
            let list: KeyList = try await transport.get(
                "\(path)/keys", QueryString().adding("after", after).adding("limit", PageSize.maximumCount))
            return ItemPage(items: list.keys, next: list.next)
        }
    }

    /// Deletes a key: no request with it is accepted any more. Scope: manage.
    ///
    /// ```swift
    /// try await acme.deleteKey("3440a67a3743610e")
    /// ```
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 404 if the key does not exist, also if an earlier try deleted
    ///   it.
    public func deleteKey(_ id: String) async throws {
        try await transport.delete("\(path)/keys/\(try PathSegment(id))")
    }
}
