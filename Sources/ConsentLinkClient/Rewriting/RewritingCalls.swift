import NIOHTTP1

extension OrganizationAPI {
    /// One mail for one recipient, its links tracked or not. The decision is durable on return. Scope: compose.
    ///
    /// ```swift
    /// let mail = try await acme.rewrite(
    ///     RewriteRequest(messageId: sale.id, recipient: "ana@example.com", html: html))
    /// ```
    /// - Parameter idempotencyKey: your own name for the request: if it is repeated within 24 hours, with the same key
    ///   of the service, no new decision is made. `nil` makes one for this call and its retries.
    public func rewrite(_ mail: RewriteRequest, idempotencyKey: String? = nil) async throws -> RewrittenMail {
        try WireCoding.decode(from: try await transport.make("\(path)/rewrites", mail, idempotencyKey).bytes)
    }

    /// Any number of mails, their links tracked or not, in constant memory. Scope: compose.
    ///
    /// ```swift
    /// let mails = people.map { PersonalMail(recipient: $0.address, html: page(for: $0)) }
    /// for try await line in try acme.rewrite(RewriteOrder(messageId: sale.id), forEach: mails) {
    ///     switch line {
    ///     case .mail(let mail): try send(mail.parsed())
    ///     case .refused(let problem): print(problem)
    ///     }
    /// }
    /// ```
    ///
    /// To continue after your own program ended, leave out as many mails as lines were answered.
    ///
    /// - Parameters:
    ///   - mails: one for each line. It is iterated once, as the result is.
    ///   - patience: how long to retry while nothing is answered; zero or less does not retry. If the service does
    ///     not answer on the first connection, reading the result fails at once.
    public func rewrite<Mails: Sequence & Sendable>(
        _ order: RewriteOrder, forEach mails: Mails, patience: Duration = .seconds(60)
    ) throws(ConsentLinkError) -> RewrittenLines where Mails.Element == PersonalMail {
        RewrittenLines(answers: try answers(order, patience) { try await LineSource.mails.give(mails, to: $0) })
    }

    /// Any number of mails, as the sequence gives them.
    ///
    /// ```swift
    /// for try await line in try acme.rewrite(RewriteOrder(messageId: sale.id), forEach: queue.mails()) { … }
    /// ```
    public func rewrite<Mails: AsyncSequence & Sendable>(
        _ order: RewriteOrder, forEach mails: Mails, patience: Duration = .seconds(60)
    ) throws(ConsentLinkError) -> RewrittenLines where Mails.Element == PersonalMail {
        RewrittenLines(answers: try answers(order, patience) { try await LineSource.mails.give(mails, to: $0) })
    }

    private func answers(
        _ order: RewriteOrder, _ patience: Duration, feed: @escaping @Sendable (LineWindow) async throws -> Void
    ) throws(ConsentLinkError) -> LineAnswers {
        LineAnswers(
            transport, "\(path)/rewrites", order: try WireCoding.encode(order), patience: patience, feed: feed)
    }
}
