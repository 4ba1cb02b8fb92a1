import NIOHTTP1

extension OrganizationAPI {
    /// What each of up to 10,000 recipients would get now, and why. The service stores and signs nothing. Scope:
    /// compose.
    ///
    /// ```swift
    /// for preview in try await acme.preview(order, for: ["ana@example.com"]).payloads {
    ///     print(preview.recipient, preview.reason, preview.payload.text)
    /// }
    /// ```
    public func preview(_ order: PayloadOrder, for recipients: [String]) async throws -> PreviewedPayloads {
        let previewed = try await transport.query(
            "\(path)/payloads", PayloadRequest(order: order, recipients: recipients, isPreview: true),
            patience: Patience.long, reading: PreviewedPayloads.init(parsing:))
        try AnswerCount.require(previewed.payloads.count, of: recipients.count, "previews")
        return previewed
    }

    /// What each of any number of recipients would get now, in constant memory. Scope: compose.
    ///
    /// ```swift
    /// var tracked = 0
    /// for try await case .payload(let preview) in try acme.preview(order, forEach: recipients) where preview.tracked {
    ///     tracked += 1
    /// }
    /// ```
    /// - Parameters:
    ///   - recipients: one for each line. It is iterated once, as the result is.
    ///   - patience: how long to retry while nothing is answered; zero or less does not retry.
    public func preview<Recipients: Sequence & Sendable>(
        _ order: PayloadOrder, forEach recipients: Recipients, patience: Duration = .seconds(60)
    ) throws(ConsentLinkError) -> PreviewedLines where Recipients.Element == String {
        PreviewedLines(
            answers: try answers(PayloadPreviewOrder(order: order), patience) {
                try await LineSource.recipients.give(recipients, to: $0)
            })
    }

    /// What each recipient would get now, as the sequence gives them.
    ///
    /// ```swift
    /// for try await line in try acme.preview(order, forEach: database.recipients()) { … }
    /// ```
    public func preview<Recipients: AsyncSequence & Sendable>(
        _ order: PayloadOrder, forEach recipients: Recipients, patience: Duration = .seconds(60)
    ) throws(ConsentLinkError) -> PreviewedLines where Recipients.Element == String {
        PreviewedLines(
            answers: try answers(PayloadPreviewOrder(order: order), patience) {
                try await LineSource.recipients.give(recipients, to: $0)
            })
    }
}
