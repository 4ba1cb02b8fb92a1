package import Identifiers

/// Keeps requests for consent and what was answered to them. May be called at once from anywhere.
///
/// When a call returns, what it wrote is durable and the ``ConsentObserver`` has been told of the records that it made;
/// when it throws, nothing was written.
package protocol ConsentRequestStore: Sendable {
    /// Makes a request, unless the recipient is to be left alone. What is in force, what was asked before and the request
    /// are read and written in one transaction, so that of two requests at once one is refused.
    ///
    /// - Parameters:
    ///   - pause: after a no and after silence.
    ///   - fingerprint: of the request that asks for it; it is kept together with the consent request, or neither is.
    /// - Throws: `IdempotencyKeyTaken` when a request with the same idempotency key has had its effect.
    func ask(
        _ new: NewConsentRequest, pausing pause: AskingPause, in organization: OrganizationID, at now: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> AskingOutcome

    /// The request with `id`, of whichever organization; `nil` when there is none such (any more).
    func request(_ id: ConsentRequestID) async throws -> ConsentRequest?

    /// At most `limit` requests about a recipient, oldest first; empty for an unknown one.
    ///
    /// - Parameter last: the last one of the page before; `nil` is the first page.
    func requests(
        about recipient: RecipientID, after last: ConsentRequestID?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentRequest]

    /// At most `limit` requests that wait for a confirmation at `now`, in the order in which they came to do so. A reader
    /// that keeps the place of the last one gets each request that comes later exactly once.
    /// - Parameter place: of the last one of the page before.
    func awaitingConfirmation(
        after place: TimeOrderedNumber?, limit: Int, in organization: OrganizationID, at now: Timestamp
    ) async throws -> [ConsentRequest]

    /// Does what ``ConsentRequest/verdict(on:to:on:at:)`` says of the request as it is in the transaction that records.
    ///
    /// - Returns: `nil` when the organization has no such request.
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

/// A press of a button on one of a request's pages.
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

/// What became of a press.
package struct AnsweredRequest: Hashable, Sendable {
    package let verdict: AnswerVerdict
    /// The record that came of it.
    package let record: ConsentRecord?
    /// The request afterwards.
    package let request: ConsentRequest

    package init(verdict: AnswerVerdict, record: ConsentRecord?, request: ConsentRequest) {
        self.verdict = verdict
        self.record = record
        self.request = request
    }
}
