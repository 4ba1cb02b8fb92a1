package import Consent
package import Counting
package import Identifiers
package import Messages
package import Organizations
package import TrackingIDs

/// Asks recipients for consent, and records their answers. Counts what is durable.
package struct ConsentRequesting: Sendable {
    /// The outcome of asking, for the counters.
    private enum Asked: String, CaseIterable {
        case made
        case tooSoon
        case erased
    }

    /// The outcome of an answer, for the counters.
    fileprivate enum Answered: String, CaseIterable {
        case given
        case refused
        case awaitingConfirmation
        case repeated
        case overtaken
        case expired
        case erased
        case notAsked
        case tooOften
    }

    private let store: any ConsentRequestStore
    private let recording: ConsentRecording
    private let keys: CurrentKeyRing
    private let publicOrigin: PublicOrigin
    /// The shortest pause that organizations of this service may choose, in days.
    package let minimumPauseInDays: Int
    private let earliest: @Sendable () -> Timestamp?
    private let asked = CaseCounters<Asked>()
    private let answered = CaseCounters<Answered>()

    /// - Parameter earliest: the earliest possible real time, because the clock may be ahead; `nil` for the time of
    ///   asking.
    package init(
        store: any ConsentRequestStore, recording: ConsentRecording, keys: CurrentKeyRing, publicOrigin: PublicOrigin,
        minimumPauseInDays: Int, earliest: @escaping @Sendable () -> Timestamp? = { nil }
    ) {
        self.store = store
        self.recording = recording
        self.keys = keys
        self.publicOrigin = publicOrigin
        self.minimumPauseInDays = minimumPauseInDays
        self.earliest = earliest
    }

    /// Makes a request, unless the recipient must not be asked now. Durable on return.
    ///
    /// - Throws: `IdempotencyKeyTaken` if a request with the same idempotency key has had its effect;
    ///   `TooManyPurposes`.
    package func ask(
        _ new: NewConsentRequest, in organization: Organization, at now: Timestamp, fingerprint: IdempotencyFingerprint?
    ) async throws -> AskingOutcome {
        let beyond = await recording.purposesBeyondLimit(new.purposes, in: organization.id)
        guard beyond.isEmpty else { throw TooManyPurposes(beyond) }
        let pause = AskingPause(
            days: max(organization.askAgainAfterDays, minimumPauseInDays), earliest: earliest())
        let outcome = try await store.ask(new, pausing: pause, in: organization.id, at: now, fingerprint: fingerprint)
        switch outcome {
        case .made: asked.add(1, .made)
        case .refused(.tooSoon): asked.add(1, .tooSoon)
        case .refused(.erased): asked.add(1, .erased)
        }
        return outcome
    }

    /// The link to a request's page. It changes when the keys are rotated; the old one still opens.
    package func url(of request: ConsentRequest, _ step: ConsentRequestStep) throws -> String {
        // Rounded down to seconds, so that a link never lives longer than its request.
        let seconds = request.expiresAt.millisecondsSince1970 / 1000
        guard let seconds = UInt32(exactly: seconds) else { throw TrackingIDError.expiryOutOfRange }
        let link = ConsentRequestLink(
            request: request.id, step: step, expiry: LinkExpiry(secondsSince1970: seconds))
        let token = try ConsentRequestLinkCodec(keyRing: keys.value).seal(link)
        return PublicPath.consentRequest.start(at: publicOrigin) + token
    }

    /// The link in a token; `nil` for a token that is not genuine.
    /// - Throws: ``SigningKeyMissing`` if the token may be genuine and cannot be opened yet.
    package func open(_ token: some StringProtocol) throws -> ConsentRequestLink? {
        let opening = try ConsentRequestLinkCodec(keyRing: keys.value).open(token)
        if case .refused(let reason) = opening, keys.mayOpenLater(reason) { throw SigningKeyMissing() }
        return opening.link
    }

    /// Carries out an answer on the page of a request. Its effect is durable on return.
    package func answer(
        _ press: AnswerPress, in organization: OrganizationID, at now: Timestamp
    ) async throws -> AnsweredRequest? {
        guard let outcome = try await store.answer(press, in: organization, at: now) else { return nil }
        if let record = outcome.record { recording.count(record) }
        answered.add(1, Answered(outcome.verdict))
        return outcome
    }
}

extension ConsentRequesting.Answered {
    fileprivate init(_ verdict: AnswerVerdict) {
        self =
            switch verdict {
            case .records(let state): state == .given ? .given : .refused
            case .awaitsConfirmation: .awaitingConfirmation
            case .changesNothing(.repeated): .repeated
            case .changesNothing(.newerRequest), .changesNothing(.laterAnswer): .overtaken
            case .changesNothing(.expired): .expired
            case .changesNothing(.erased): .erased
            case .changesNothing(.notAsked): .notAsked
            case .changesNothing(.tooOften): .tooOften
            }
    }
}

extension ConsentRequesting: MetricSource {
    package var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_consent_requests_total", "Requests for consent, by outcome.",
                asked.counts.map { ([.init("outcome", $0.rawValue)], $1) }),
            .counters(
                "consentlink_consent_answers_total", "Answers to requests for consent, by outcome.",
                answered.counts.map { ([.init("outcome", $0.rawValue)], $1) }),
        ]
    }
}
