package import Consent
import Cryptography
package import Identifiers
import Testing

extension ConsentNotice {
    package static let sample = sample("We would like to know which of our links you open.")

    /// A notice with a text, and the digest of that text.
    package static func sample(_ text: String) -> ConsentNotice {
        ConsentNotice(
            id: "privacy", version: "3", sha256: Hexadecimal.encode(SHA256.hash(of: Array(text.utf8))), language: "en",
            body: .text(text))
    }
}

extension StorageUnderTest {
    /// Asks, without a pause unless there is one.
    package func ask(
        _ recipient: RecipientID, for purposes: [Purpose] = [.tracking], notice: ConsentNotice = .sample,
        needsConfirmation: Bool = false, pausingDays: Int = 0, in organization: OrganizationID? = nil,
        at now: Timestamp, earliest: Timestamp? = nil
    ) async throws -> AskingOutcome {
        try await consentRequests.ask(
            NewConsentRequest(
                recipient: recipient, purposes: purposes, notice: notice, needsConfirmation: needsConfirmation),
            pausing: AskingPause(days: pausingDays, earliest: earliest), in: organization ?? acme, at: now,
            fingerprint: nil)
    }

    /// The request that asking makes.
    package func request(
        _ recipient: RecipientID, for purposes: [Purpose] = [.tracking], notice: ConsentNotice = .sample,
        needsConfirmation: Bool = false, in organization: OrganizationID? = nil, at now: Timestamp
    ) async throws -> ConsentRequest {
        let outcome = try await ask(
            recipient, for: purposes, notice: notice, needsConfirmation: needsConfirmation, in: organization, at: now)
        guard case .made(let request) = outcome else {
            throw ExpectationFailure(outcome: outcome)
        }
        return request
    }

    /// Presses a button.
    @discardableResult
    package func press(
        _ answer: ConsentAnswer, on request: ConsentRequest, _ step: ConsentRequestStep = .question,
        for purpose: Purpose = .tracking, at now: Timestamp
    ) async throws -> AnsweredRequest {
        let press = AnswerPress(
            request: request.id, step: step, purpose: purpose, answer: answer,
            evidence: ConsentEvidence(method: "consent-request", actor: "subject"))
        return try #require(try await consentRequests.answer(press, in: request.organization, at: now))
    }

    private struct ExpectationFailure: Error {
        let outcome: AskingOutcome
    }
}
