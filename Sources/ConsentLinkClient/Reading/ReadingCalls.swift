import NIOHTTP1

extension OrganizationAPI {
    /// What recipients did, page by page, in the order in which it was stored. Scope: read.
    ///
    /// ```swift
    /// for try await page in acme.interactionFeed(InteractionQuery(after: stored.cursor)) {
    ///     try stored.save(page.interactions, cursor: page.cursor)  // in one transaction
    /// }
    /// ```
    /// - Parameters:
    ///   - query: with the cursor to begin behind.
    ///   - following: how long to wait for more at the end of the feed. With `nil` the sequence ends there.
    public func interactionFeed(
        _ query: InteractionQuery = InteractionQuery(), following: Duration? = nil
    ) -> InteractionFeed { InteractionFeed(api: self, query: query, following: following) }

    /// A page of interactions. Scope: read.
    ///
    /// ```swift
    /// let page = try await acme.interactions(InteractionQuery(message: "3440a67a38c8cf5c"), limit: 100)
    /// ```
    /// - Parameter limit: 1 to 1,000.
    public func interactions(
        _ query: InteractionQuery, after: String? = nil, limit: Int = 1000
    ) async throws -> InteractionPage {
        var (query, after) = (query, after)
        after = after ?? query.after
        query.after = nil
        return try await transport.query(
            "\(path)/interactions/query", PageRequest(query: query, after: after, limit: limit))
    }

    /// Why people were tracked or not, page by page, oldest first. Scope: read.
    ///
    /// ```swift
    /// for try await page in acme.decisions(DecisionQuery(outcome: .untracked)) { count += page.decisions.count }
    /// ```
    public func decisions(_ query: DecisionQuery = DecisionQuery()) -> DecisionPages {
        DecisionPages(api: self, query: query)
    }

    /// A decision and all that explains it. Scope: read.
    ///
    /// ```swift
    /// print(try await acme.decision("3440a67a394c7628").policy.rule)
    /// ```
    public func decision(_ id: String) async throws -> DecisionInFull {
        try await transport.get("\(path)/decisions/\(try PathSegment(id))")
    }

    /// Every decision that matches, streamed. Scope: read.
    ///
    /// ```swift
    /// for try await decision in try acme.exportDecisions(DecisionQuery(message: "3440a67a38c8cf5c")) { … }
    /// ```
    public func exportDecisions(_ query: DecisionQuery = DecisionQuery()) throws(ConsentLinkError) -> ExportedLines<
        Decision
    > {
        ExportedLines(bytes: try export("decisions/query", query))
    }

    /// Every interaction that matches, streamed. Scope: read.
    ///
    /// ```swift
    /// for try await interaction in try acme.exportInteractions() where !interaction.automated { … }
    /// ```
    public func exportInteractions(
        _ query: InteractionQuery = InteractionQuery()
    ) throws(ConsentLinkError) -> ExportedLines<Interaction> {
        ExportedLines(bytes: try export("interactions/query", query))
    }

    /// Every decision that matches as a table (CSV), as it comes. Scope: read.
    ///
    /// ```swift
    /// for try await piece in try acme.exportDecisionTable() { try file.write(contentsOf: piece.readableBytesView) }
    /// ```
    public func exportDecisionTable(_ query: DecisionQuery = DecisionQuery()) throws(ConsentLinkError) -> ExportedBytes
    {
        try export("decisions/query", query, accept: APIRequest.table)
    }

    /// Every interaction that matches as a table (CSV), as it comes. Scope: read.
    ///
    /// ```swift
    /// let query = InteractionQuery(automated: false)
    /// for try await piece in try acme.exportInteractionTable(query) { … }
    /// ```
    public func exportInteractionTable(
        _ query: InteractionQuery = InteractionQuery()
    ) throws(ConsentLinkError) -> ExportedBytes {
        try export("interactions/query", query, accept: APIRequest.table)
    }

    /// Evidence for auditors: a tar archive, as it comes. Scope: read.
    ///
    /// A whole archive is cut off when a recipient is erased while it is made: after
    /// ``ConsentLinkError/brokenOff(reason:)`` throw away what came and ask again.
    ///
    /// ```swift
    /// for try await piece in try acme.exportAudit() { try file.write(contentsOf: piece.readableBytesView) }
    /// ```
    public func exportAudit(_ request: AuditRequest = AuditRequest()) throws(ConsentLinkError) -> ExportedBytes {
        try export("audits", request, accept: "application/x-tar")
    }

    private func export(
        _ name: String, _ query: some Encodable, accept: String = APIRequest.lines
    ) throws(ConsentLinkError) -> ExportedBytes {
        let request = APIRequest(
            .POST, "\(path)/\(name)", body: try WireCoding.encode(query), accept: accept, repetition: .always)
        return ExportedBytes(transport: transport, request: request)
    }
}
