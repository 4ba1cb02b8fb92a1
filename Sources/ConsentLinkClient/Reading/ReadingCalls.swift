public import Foundation
import NIOHTTP1

extension OrganizationAPI {
    /// Interactions, page by page, in the order in which they were stored. Scope: read.
    ///
    /// ```swift
    /// for try await page in acme.interactionFeed(InteractionQuery(after: stored.cursor)) {
    ///     try stored.save(page.interactions, cursor: page.cursor)  // in one transaction
    /// }
    /// ```
    /// - Parameters:
    ///   - query: includes the cursor to begin after.
    ///   - following: how long to wait for more at the end of the feed, at least 100 ms. With `nil` the sequence ends
    ///     there.
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
            "\(path)/interactions/query", PageRequest(query: query, after: after, limit: limit),
            patience: Patience.long)
    }

    /// Decisions, page by page, oldest first. Scope: read.
    ///
    /// ```swift
    /// for try await page in acme.decisions(DecisionQuery(outcome: .untracked)) { count += page.decisions.count }
    /// ```
    public func decisions(_ query: DecisionQuery = DecisionQuery()) -> DecisionPages {
        DecisionPages(api: self, query: query)
    }

    /// A decision and everything that explains it. Scope: read.
    ///
    /// ```swift
    /// print(try await acme.decision("3440a67a394c7628").policy.rule)
    /// ```
    public func decision(_ id: String) async throws -> DecisionInFull {
        try await transport.get("\(path)/decisions/\(try PathSegment(id))")
    }

    /// How many decisions were made in a period, by day and reason. Scope: read.
    ///
    /// ```swift
    /// print(try await acme.decisionTotals(from: start, to: end).reasons[.consentGiven] ?? 0)
    /// ```
    /// - Parameters:
    ///   - from: `nil` is 30 days before `to`. Whole days (UTC) count.
    ///   - to: `nil` is now; at most 366 days after `from`.
    public func decisionTotals(from: Date? = nil, to: Date? = nil) async throws -> DecisionTotals {
        try await transport.get(
            "\(path)/decisions/summary", try QueryString().adding("from", from).adding("to", to),
            patience: Patience.long)
    }

    /// How many decisions were made about a message, by reason. Scope: read.
    ///
    /// ```swift
    /// print(try await acme.decisionTotals(of: "3440a67a38c8cf5c").untracked)
    /// ```
    public func decisionTotals(of message: String) async throws -> DecisionTotals {
        try await transport.get(
            "\(path)/decisions/summary", QueryString().adding("message", message), patience: Patience.long)
    }

    /// Decisions drawn at random, so that no party can choose them: the same seed draws the same. Scope: read.
    ///
    /// ```swift
    /// let sample = try await acme.sampleDecisions(DecisionSampleQuery(seed: "dice 4711", size: 50))
    /// ```
    public func sampleDecisions(_ query: DecisionSampleQuery) async throws -> DecisionSample {
        try await transport.get("\(path)/decisions/sample", try query.string, patience: Patience.long)
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

    /// Every decision that matches as a table (CSV), as it arrives. Scope: read.
    ///
    /// ```swift
    /// for try await piece in try acme.exportDecisionTable() { try file.write(contentsOf: piece.readableBytesView) }
    /// ```
    public func exportDecisionTable(_ query: DecisionQuery = DecisionQuery()) throws(ConsentLinkError) -> ExportedBytes
    {
        try export("decisions/query", query, accept: APIRequest.table)
    }

    /// Every interaction that matches as a table (CSV), as it arrives. Scope: read.
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

    /// Evidence for auditors: a tar archive, as it arrives. Scope: read.
    ///
    /// An archive is cut off if more is erased while it is made than the service can hold in memory (64 MiB), or if
    /// another node erases private fields of its entries. After ``ConsentLinkError/brokenOff(reason:)``, delete what
    /// arrived and try again.
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
            .POST, "\(path)/\(name)", body: try WireCoding.encode(query), accept: accept, repetition: .always,
            patience: Patience.long)
        return ExportedBytes(transport: transport, request: request)
    }
}
