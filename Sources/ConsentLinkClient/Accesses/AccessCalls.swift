extension OrganizationAPI {
    /// A page of who looked at whom, when and why, newest first. Scope: read.
    ///
    /// ```swift
    /// let page = try await acme.accesses(AccessQuery(recipient: "ana@example.com"))
    /// ```
    /// - Parameters:
    ///   - after: ``AccessPage/next`` of the page before; `nil` is the newest.
    ///   - limit: 1 to 1,000.
    public func accesses(
        _ query: AccessQuery = AccessQuery(), after: String? = nil, limit: Int = 100
    ) async throws -> AccessPage {
        try await transport.query(
            "\(path)/accesses/query", PageRequest(query: query, after: after, limit: limit), patience: Patience.long)
    }
}
