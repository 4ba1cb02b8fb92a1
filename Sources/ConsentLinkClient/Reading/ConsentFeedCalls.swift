import NIOHTTP1

extension OrganizationAPI {
    /// Consent records and erasures, page by page, in the order of the commits. Scope: read.
    ///
    /// ```swift
    /// for try await page in acme.consentFeed(after: stored.cursor, following: true) {
    ///     try stored.apply(page.changes, cursor: page.cursor)  // in one transaction
    /// }
    /// ```
    /// - Parameters:
    ///   - after: ``ConsentChangePage/cursor`` of an earlier page; `nil` is the beginning.
    ///   - following: whether to wait for more changes at the end of the feed. Otherwise the sequence ends there.
    public func consentFeed(after: String? = nil, following: Bool = false) -> ConsentFeed {
        ConsentFeed(api: self, after: after, isFollowing: following)
    }

    /// A page of the consent feed. Scope: read.
    ///
    /// ```swift
    /// let page = try await acme.consentChanges(after: stored.cursor, limit: 100, wait: 20)
    /// ```
    /// - Parameters:
    ///   - after: ``ConsentChangePage/cursor`` of an earlier page; `nil` is the beginning.
    ///   - limit: 1 to 1,000.
    ///   - wait: seconds, 0 to 30, for which the service waits for a change when there is none yet.
    public func consentChanges(
        after: String? = nil, limit: Int = 100, wait: Int = 0
    ) async throws -> ConsentChangePage {
        let query = QueryString().adding("after", after).adding("limit", limit)
        let text = (wait == 0 ? query : query.adding("wait", wait)).text
        var request = APIRequest(.GET, "\(path)/consents\(text)", repetition: .always)
        request.wait = .seconds(wait)
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }

    /// Every change after a place, streamed. Scope: read.
    ///
    /// ```swift
    /// for try await change in acme.exportConsentChanges() where change.erasure != nil { … }
    /// ```
    public func exportConsentChanges(after: String? = nil) -> ExportedLines<ConsentChange> {
        let query = QueryString().adding("after", after)
        let request = APIRequest(
            .GET, "\(path)/consents\(query.text)", accept: APIRequest.lines, repetition: .always,
            patience: Patience.long)
        return ExportedLines(bytes: ExportedBytes(transport: transport, request: request))
    }
}
