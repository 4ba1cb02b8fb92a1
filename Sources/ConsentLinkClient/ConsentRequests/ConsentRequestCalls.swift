import NIOHTTP1

extension OrganizationAPI {
    /// Makes a link that asks a recipient for consent; you send it to them. The request is durable on return. Opening
    /// the link changes nothing; the recipient answers by pressing a button. Scope: consent.
    ///
    /// ```swift
    /// let notice = NewNotice(id: "privacy", version: "3", language: "en", content: .text("May we see what you open?"))
    /// let request = try await acme.askForConsent(NewConsentRequest(recipient: "ana@example.com", notice: notice))
    /// if let url = request.url { send(url, to: "ana@example.com") }
    /// ```
    /// - Parameter idempotencyKey: your own name for the request: if it is repeated within 24 hours, with the same key
    ///   of the service, no second request is made. `nil` makes one for this call and its retries.
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 409 while the recipient must not be asked; its detail says from
    ///   when on they may be asked. If the last try is a 409 with ``Problem/retryAfter``, an earlier request with the
    ///   key is still being processed.
    public func askForConsent(
        _ request: NewConsentRequest, idempotencyKey: String? = nil
    ) async throws -> ConsentRequest {
        let answer = try await transport.make(requestsPath, request, idempotencyKey, hasFinalConflicts: true)
        return try WireCoding.decode(from: answer.bytes)
    }

    /// One request, and its state. Scope: consent or read.
    ///
    /// ```swift
    /// let isAnswered = try await acme.consentRequest("3440a67a37cb65a7").state == .answered
    /// ```
    public func consentRequest(_ id: String) async throws -> ConsentRequest {
        try await transport.get("\(requestsPath)/\(try PathSegment(id))")
    }

    /// Every request to a recipient. Scope: consent or read.
    ///
    /// ```swift
    /// let last = try await acme.consentRequests(to: "ana@example.com").requests.last
    /// ```
    public func consentRequests(to recipient: String) async throws -> ConsentRequestsOfRecipient {
        try await transport.query("\(requestsPath)/query", RecipientRequest(recipient: recipient))
    }

    /// The requests whose recipients must be sent the second link, in the order in which they came to wait for it.
    /// Scope: consent or read.
    ///
    /// ```swift
    /// for try await request in acme.unconfirmedRequests() { print(request.id, request.madeAt) }
    /// ```
    public func unconfirmedRequests() -> ListedItems<ConsentRequest> {
        ListedItems { after in
            let page = try await unconfirmedRequestPage(after: after, limit: PageSize.maximumCount)
            return ItemPage(items: page.requests, next: page.next)
        }
    }

    /// A page of them. A caller that stores ``ConsentRequestPage/cursor`` and gives it the next time gets each request
    /// that comes later exactly once. Scope: consent or read.
    ///
    /// ```swift
    /// let page = try await acme.unconfirmedRequestPage(after: stored.cursor)
    /// for request in page.requests { queue(request.confirmUrl, to: request.recipient) }
    /// try stored.save(cursor: page.cursor)  // in one transaction
    /// ```
    /// - Parameters:
    ///   - after: ``ConsentRequestPage/cursor`` of an earlier page; `nil` is the first page.
    ///   - limit: 1 to 1,000.
    public func unconfirmedRequestPage(after: String? = nil, limit: Int = 100) async throws -> ConsentRequestPage {
        let string = QueryString().adding("state", ConsentRequestState.awaitingConfirmation.rawValue)
            .adding("after", after).adding("limit", limit)
        return try await transport.get(requestsPath, string)
    }

    private var requestsPath: String { "\(path)/consent-requests" }
}
