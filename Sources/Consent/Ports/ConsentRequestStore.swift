package import Identifiers

/// Stores requests for consent and their answers. All calls may be concurrent.
///
/// When a call returns, its writes are durable and the ``ConsentObserver`` has been informed of its records. If it
/// throws, nothing was written.
package protocol ConsentRequestStore: Sendable {
    /// Makes a request, unless the recipient must not be asked now. The record in force, earlier requests and the new
    /// request are read and written in one transaction, so that of two concurrent requests one is refused.
    ///
    /// - Parameters:
    ///   - pause: the pause after a no and after silence.
    ///   - fingerprint: the fingerprint of the HTTP request; it is stored together with the consent request, or neither
    ///     is.
    /// - Throws: `IdempotencyKeyTaken` if a request with the same idempotency key has had its effect.
    func ask(
        _ new: NewConsentRequest, pausing pause: AskingPause, in organization: OrganizationID, at now: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> AskingOutcome

    /// The request with `id`, of any organization; `nil` if there is none (any more).
    func request(_ id: ConsentRequestID) async throws -> ConsentRequest?

    /// At most `limit` requests about a recipient, oldest first; empty for an unknown one.
    ///
    /// - Parameter last: the last one of the previous page; `nil` for the first page.
    func requests(
        about recipient: RecipientID, after last: ConsentRequestID?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentRequest]

    /// At most `limit` requests that wait for a confirmation at `now`, in the order in which they began to wait. A
    /// reader that continues from the last position gets each later request exactly once.
    /// - Parameter position: the position of the last request of the previous page.
    func awaitingConfirmation(
        after position: TimeOrderedNumber?, limit: Int, in organization: OrganizationID, at now: Timestamp
    ) async throws -> [ConsentRequest]

    /// Carries out ``ConsentRequest/verdict(on:to:on:at:)`` for the request as it is in the transaction that records.
    ///
    /// - Returns: `nil` if the organization has no such request.
    func answer(
        _ press: AnswerPress, in organization: OrganizationID, at now: Timestamp
    ) async throws -> AnsweredRequest?
}

extension ConsentRequestStore {
    /// All requests about a recipient, oldest first; empty for an unknown one.
    package func requests(
        about recipient: RecipientID, in organization: OrganizationID
    ) async throws -> [ConsentRequest] {
        try await requests(about: recipient, after: nil, limit: .max, in: organization)
    }
}

/// An answer: a button that was pressed on one of a request's pages.
package struct AnswerPress: Hashable, Sendable {
    package let request: ConsentRequestID
    package let step: ConsentRequestStep
    package let purpose: Purpose
    package let answer: ConsentAnswer
    /// How the answer was obtained. The notice is that of the request.
    package let evidence: ConsentEvidence

    package init(
        request: ConsentRequestID, step: ConsentRequestStep, purpose: Purpose, answer: ConsentAnswer,
        evidence: ConsentEvidence
    ) {
        self.request = request
        self.step = step
        self.purpose = purpose
        self.answer = answer
        self.evidence = evidence
    }
}

/// The result of an answer.
package struct AnsweredRequest: Hashable, Sendable {
    package let verdict: AnswerVerdict
    /// The record that the answer became.
    package let record: ConsentRecord?
    /// The request after the answer.
    package let request: ConsentRequest

    package init(verdict: AnswerVerdict, record: ConsentRecord?, request: ConsentRequest) {
        self.verdict = verdict
        self.record = record
        self.request = request
    }
}
