import JSON
import NIOHTTP1

extension OrganizationAPI {
    /// Records consents: up to 10,000 records, all of them or none. On return they are durable, and count from the next
    /// click on. Scope: consent.
    ///
    /// ```swift
    /// try await acme.record([
    ///     NewConsent(recipient: "ana@example.com", state: .given, evidence: Evidence(method: "web-form")),
    ///     NewConsent(recipient: "bo@example.com", state: .withdrawn),
    /// ])
    /// ```
    /// - Parameter idempotencyKey: your own name for the request. Its records are then stored once within 24 hours,
    ///   however often the request is sent with the same key of the service. With another key they are stored again,
    ///   and a ``ConsentState/given`` without ``NewConsent/occurredAt`` would outrank a withdrawal that came in
    ///   between. `nil` makes one for this call and its retries.
    /// - Returns: a record for each, in their order.
    @discardableResult
    public func record(_ consents: [NewConsent], idempotencyKey: String? = nil) async throws -> [RecordedConsent] {
        let answer = try await transport.make("\(path)/consents", consents, idempotencyKey, patience: Patience.long)
        let recorded = try WireCoding.decode(RecordedConsents.self, from: answer.bytes).consents
        try AnswerCount.require(recorded.count, of: consents.count, "records")
        return recorded
    }

    /// The consent in force for a recipient, and all their records. Scope: consent or read.
    ///
    /// ```swift
    /// let isTracked = try await acme.consent(of: "ana@example.com").current.contains { $0.state == .given }
    /// ```
    public func consent(of recipient: String) async throws -> ConsentOfRecipient {
        try await transport.query("\(path)/consents/query", RecipientRequest(recipient: recipient))
    }

    /// Erases a recipient: on return no file of the service holds a byte of them. Scope: manage.
    ///
    /// If it throws an error whose ``ConsentLinkError/mayHaveBeenDone`` is true, call it again. The result counts only
    /// what was left to erase; this also applies after an automatic retry for 503.
    ///
    /// ```swift
    /// let erased = try await acme.erase("ana@example.com")
    /// ```
    @discardableResult
    public func erase(_ recipient: String) async throws -> Erasure {
        let request = APIRequest(
            .POST, "\(path)/recipients/erase", body: try WireCoding.encode(RecipientRequest(recipient: recipient)),
            repetition: .whenUnavailable, patience: Patience.long)
        let erasure: Erasure = try WireCoding.decode(from: try await transport.answer(to: request).bytes)
        guard min(erasure.consents, erasure.decisions, erasure.interactions) >= 0 else {
            throw ConsentLinkError.unexpectedAnswer("it counts less than nothing")
        }
        return erasure
    }

    /// Everything that is held about a recipient, as one document to hand to them. Scope: read.
    ///
    /// ```swift
    /// let document = try await acme.export(of: "ana@example.com")
    /// ```
    public func export(of recipient: String) async throws -> JSONDocument {
        try await transport.query(
            "\(path)/recipients/export", RecipientRequest(recipient: recipient), patience: Patience.long,
            reading: JSONDocument.init(parsing:))
    }

    /// The consent history of a recipient, in the W3C Data Privacy Vocabulary (JSON-LD), as one document to hand to
    /// them. Scope: read.
    ///
    /// ```swift
    /// let document = try await acme.consentHistory(of: "ana@example.com")
    /// ```
    public func consentHistory(of recipient: String) async throws -> JSONDocument {
        try await transport.query(
            "\(path)/recipients/export", RecipientRequest(recipient: recipient), accept: "application/ld+json",
            patience: Patience.long, reading: JSONDocument.init(parsing:))
    }
}
