import NIOHTTP1

extension OrganizationAPI {
    /// A payload for each of up to 10,000 recipients. The decisions are durable on return. Scope: compose.
    ///
    /// ```swift
    /// let order = PayloadOrder(Message(name: "sale", link: "https://shop.example/"), format: .plain)
    /// for composed in try await acme.compose(order, for: ["ana@example.com"]).payloads {
    ///     send(composed.payload.text, to: composed.recipient)
    /// }
    /// ```
    /// - Parameter idempotencyKey: your own name for the request, such as `sale/1`: made again within 24 hours, with
    ///   the same key of the service, it makes no new decision. `nil` makes one for this call and its retries.
    public func compose(
        _ order: PayloadOrder, for recipients: [String], idempotencyKey: String? = nil
    ) async throws -> ComposedPayloads {
        let answer = try await transport.make(
            "\(path)/payloads", PayloadRequest(order: order, recipients: recipients), idempotencyKey,
            patience: Patience.long)
        let composed = try ComposedPayloads(parsing: answer.bytes)
        try AnswerCount.require(composed.payloads.count, of: recipients.count, "payloads")
        return composed
    }

    /// A payload for each of any number of recipients, in constant memory. Scope: compose.
    ///
    /// ```swift
    /// for try await line in try acme.compose(order, forEach: recipients) {
    ///     switch line {
    ///     case .payload(let payload): try file.write(contentsOf: payload.json + [0x0A])
    ///     case .refused(let problem): print(problem)
    ///     }
    /// }
    /// ```
    ///
    /// To continue after your own program ended, leave out as many recipients as lines were answered.
    ///
    /// - Parameters:
    ///   - recipients: one for each line. It is iterated once, as the result is.
    ///   - patience: how long to retry while nothing is answered; zero or less does not retry. If the service does
    ///     not answer on the first connection, reading the result fails at once.
    public func compose<Recipients: Sequence & Sendable>(
        _ order: PayloadOrder, forEach recipients: Recipients, patience: Duration = .seconds(60)
    ) throws(ConsentLinkError) -> ComposedLines where Recipients.Element == String {
        ComposedLines(
            answers: try answers(order, patience) { try await LineSource.recipients.give(recipients, to: $0) })
    }

    /// A payload for each of any number of recipients, as the sequence gives them.
    ///
    /// ```swift
    /// for try await line in try acme.compose(order, forEach: database.recipients()) { … }
    /// ```
    public func compose<Recipients: AsyncSequence & Sendable>(
        _ order: PayloadOrder, forEach recipients: Recipients, patience: Duration = .seconds(60)
    ) throws(ConsentLinkError) -> ComposedLines where Recipients.Element == String {
        ComposedLines(
            answers: try answers(order, patience) { try await LineSource.recipients.give(recipients, to: $0) })
    }

    /// - Parameter order: the first line.
    func answers(
        _ order: some Encodable, _ patience: Duration,
        feed: @escaping @Sendable (LineWindow) async throws -> Void
    ) throws(ConsentLinkError) -> LineAnswers {
        LineAnswers(
            transport, "\(path)/payloads", order: try WireCoding.encode(order), patience: patience, feed: feed)
    }
}
