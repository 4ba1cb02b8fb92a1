package import Consent
package import Formats
package import Identifiers
package import Messages
package import Organizations
package import StoragePorts
package import TrackingIDs

/// Composes payloads: reads consent, decides, stores the decisions, and only then renders.
package struct Composer: Sendable {
    /// How often it reads consent and decides again if recipients are erased or the enforcement changes meanwhile.
    private static let maximumAttempts = 5
    /// How old an evaluation may be when its decisions are stored: the time of one or two commits. A client that does
    /// not read keeps decisions waiting, and recipients may withdraw meanwhile.
    private static let maximumEvaluationAge = Duration.milliseconds(100)

    let consent: any ConsentLookup
    let decisions: any DecisionRecorder
    let metrics: DecisionMetrics
    private let keys: CurrentKeyRing
    private let linkLifetimeInDays: Int
    let now: @Sendable () -> Timestamp

    package init(
        consent: any ConsentLookup, decisions: any DecisionRecorder, metrics: DecisionMetrics, keys: CurrentKeyRing,
        linkLifetimeInDays: Int, now: @escaping @Sendable () -> Timestamp
    ) {
        self.consent = consent
        self.decisions = decisions
        self.metrics = metrics
        self.keys = keys
        self.linkLifetimeInDays = linkLifetimeInDays
        self.now = now
    }

    /// The payloads for `recipients`, in their order. Their decisions are durable on return. If it throws, none is
    /// stored, and no payload may be sent.
    package func compose(
        _ message: StoredMessage, as compiled: CompiledMessage, for recipients: [RecipientID],
        in organization: Organization, fingerprint: IdempotencyFingerprint? = nil
    ) async throws -> ComposedPayloads {
        let recorded = try await decide(message, recipients, organization, fingerprint: fingerprint)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: recipients, decisions: recorded,
            expiry: try expiry(of: message.content, composedAt: recorded.first?.id.number.timestamp ?? now()),
            keyRing: keys.value)
    }

    /// The payloads that were composed before, from the same decisions. A recipient who may no longer be tracked gets
    /// the untracked payload. The decision stays as the record of that time, and the answer has the reason why it no
    /// longer permits tracking.
    ///
    /// - Parameter effect: the effect of the request that composed them for the same `recipients`.
    package func replay(
        _ message: StoredMessage, as compiled: CompiledMessage, for recipients: [RecipientID],
        in organization: Organization, _ effect: RequestEffect
    ) async throws -> ComposedPayloads {
        let recorded = try await current(effect, about: recipients, of: message, in: organization)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: recipients, decisions: recorded,
            expiry: try expiry(of: message.content, composedAt: effect.first.timestamp), keyRing: keys.value)
    }

    /// The consent of recipients, as it was read before their decisions are stored.
    package struct Evaluation: Sendable {
        package let recipients: [RecipientID]
        package let organization: Organization
        fileprivate let time: Timestamp
        fileprivate let statuses: ConsentStatuses
    }

    /// Reads the consent of `recipients`, and stores nothing.
    package func evaluate(
        _ recipients: [RecipientID], for message: StoredMessage, in organization: Organization
    ) async throws -> Evaluation {
        let time = now()
        let statuses = try await consent.statuses(
            of: recipients, for: message.content.purposes.distinct, in: organization.id, at: time)
        return Evaluation(recipients: recipients, organization: organization, time: time, statuses: statuses)
    }

    /// Whether a decision by `evaluation` would permit to track the clicks of its first recipient.
    func wouldTrackClicks(by evaluation: Evaluation, of message: StoredMessage) -> Bool {
        let made = Self.decisions(about: evaluation.recipients, of: message.content, by: evaluation)
        return made.first?.verdict.outcome == .tracked
    }

    /// Whether an evaluation is recent enough for decisions.
    package func isFresh(_ evaluation: Evaluation) -> Bool {
        now() <= evaluation.time.advanced(by: Self.maximumEvaluationAge)
    }

    /// The payloads for the evaluated recipients, as ``compose(_:as:for:in:fingerprint:)`` makes them.
    package func compose(
        _ message: StoredMessage, as compiled: CompiledMessage, for evaluation: Evaluation
    ) async throws -> ComposedPayloads {
        let decided = try await decide(by: evaluation, of: message)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: evaluation.recipients, decisions: decided.decisions,
            expiry: decided.expiry, keyRing: decided.keyRing)
    }

    /// The stored decisions about recipients, in the order in which they were given, and what seals their tracking IDs.
    package struct Decided: Sendable {
        package let decisions: DecisionsOfMessage
        let expiry: LinkExpiry
        package let keyRing: KeyRing
    }

    /// Decides about the evaluated recipients, for a caller that renders in another way. The decisions are durable on
    /// return.
    func decide(by evaluation: Evaluation, of message: StoredMessage) async throws -> Decided {
        let recorded = try await decide(
            message, evaluation.recipients, evaluation.organization, by: evaluation, fingerprint: nil)
        return Decided(
            decisions: recorded,
            expiry: try expiry(of: message.content, composedAt: recorded.first?.id.number.timestamp ?? evaluation.time),
            keyRing: keys.value)
    }

    func expiry(of content: Message, composedAt time: Timestamp) throws -> LinkExpiry {
        let latest = try LinkExpiry(
            messageExpiresAt: nil, composedAt: time, lifetimeInDays: linkLifetimeInDays)
        guard content.expiresAt != nil else { return latest }
        let own = try LinkExpiry(
            messageExpiresAt: content.expiresAt, composedAt: time, lifetimeInDays: linkLifetimeInDays)
        // A message may have been stored before the link lifetime limited its `expiresAt`.
        return min(own, latest)
    }

    /// Whether a recipient of a message may be tracked. Payloads and previews use it.
    static func verdict(
        on status: ConsentStatus, of content: Message, by policy: ConsentPolicy, at time: Timestamp
    ) -> ConsentVerdict {
        content.tracking ? policy.decide(status, at: time) : .trackingOff
    }

    /// Decides about one recipient, for a caller that renders in another way. The decision is durable on return.
    func decide(
        about recipient: RecipientID, of message: StoredMessage, in organization: Organization,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> Decided {
        let recorded = try await decide(message, [recipient], organization, fingerprint: fingerprint)
        return Decided(
            decisions: recorded,
            expiry: try expiry(of: message.content, composedAt: recorded.first?.id.number.timestamp ?? now()),
            keyRing: keys.value)
    }

    /// The earlier decision; see ``replay(_:as:for:in:_:)``.
    func replay(
        about recipient: RecipientID, of message: StoredMessage, in organization: Organization,
        _ effect: RequestEffect
    ) async throws -> Decided {
        let recorded = try await current(effect, about: [recipient], of: message, in: organization)
        return Decided(
            decisions: recorded,
            expiry: try expiry(of: message.content, composedAt: effect.first.timestamp),
            keyRing: keys.value)
    }

    /// - Parameter evaluation: the evaluation of the recipients, if there is one already.
    /// - Returns: the decisions about each recipient, in their order.
    private func decide(
        _ message: StoredMessage, _ recipients: [RecipientID], _ organization: Organization,
        by evaluation: Evaluation? = nil, fingerprint: IdempotencyFingerprint?
    ) async throws -> DecisionsOfMessage {
        // First, because a lifetime that no link can have must be refused before anything is stored.
        _ = try expiry(of: message.content, composedAt: now())
        var first = evaluation
        var attempt = 1
        while true {
            let evaluation: Evaluation
            if let known = first.take() {
                evaluation = known
            } else {
                evaluation = try await evaluate(recipients, for: message, in: organization)
            }
            let made = Self.decisions(about: recipients, of: message.content, by: evaluation)
            do {
                let recorded = try await decisions.append(
                    made, of: message.id, in: organization.id, asOf: evaluation.statuses.basis, at: evaluation.time,
                    fingerprint: fingerprint)
                precondition(recorded.count == made.count, "the recorder returns one decision for each it was given")
                metrics.count(recorded)
                return DecisionsOfMessage(recorded, areApart: message.content.purposes.shared == nil)
            } catch is StaleSnapshot where attempt < Self.maximumAttempts {
                attempt += 1
            }
        }
    }

    /// One decision for each recipient, or one about clicks followed by one about opens.
    private static func decisions(
        about recipients: [RecipientID], of content: Message, by evaluation: Evaluation
    ) -> [Decision] {
        let policy = ConsentPolicy(enforcement: evaluation.statuses.enforcement)
        let activities: [TrackedActivity?] = content.purposes.shared == nil ? TrackedActivity.allCases : [nil]
        return evaluation.statuses.statuses.enumerated().map { index, status in
            Decision(
                recipient: recipients[index / activities.count], activity: activities[index % activities.count],
                verdict: verdict(on: status, of: content, by: policy, at: evaluation.time))
        }
    }
}
