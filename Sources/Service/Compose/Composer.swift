import Consent
import Formats
import Identifiers
import JSON
import Messages
import Organizations
import TrackingIDs

/// Composes payloads: asks for consent, decides, stores the decisions, and only then renders.
struct Composer: Sendable {
    /// How often it decides anew when people are erased while it does.
    private static let maximumAttempts = 5
    /// How long what was asked may wait for the decisions before it to be stored: a commit or two. A client that does
    /// not read keeps them waiting, and meanwhile people withdraw.
    private static let greatestAgeInMilliseconds: Int64 = 100

    let consent: any ConsentStore
    let decisions: any DecisionLog
    let keys: CurrentKeyRing
    let linkLifetimeInDays: Int
    let now: @Sendable () -> Timestamp

    /// The payloads for `recipients`, in their order. Their decisions are durable on return; when it throws, none is
    /// stored and none may leave.
    func compose(
        _ message: StoredMessage, as compiled: CompiledMessage, for recipients: [RecipientID],
        in organization: Organization, once mark: RequestMark? = nil
    ) async throws -> ComposedPayloads {
        let moment = now()
        let expiry = try expiry(of: message, composedAt: moment)
        let recorded = try await decide(message, recipients, organization, at: moment, once: mark)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: recipients, decisions: recorded, expiry: expiry,
            keyRing: keys.value)
    }

    /// The payloads that were composed before, of the same decisions. Whoever was erased since gets the payload of
    /// those who are not tracked, for nothing is known of them any more.
    ///
    /// - Parameter effect: of the request that composed them for the same `recipients`.
    func composeAgain(
        _ message: StoredMessage, as compiled: CompiledMessage, for recipients: [RecipientID],
        in organization: Organization, _ effect: RequestEffect
    ) async throws -> ComposedPayloads {
        let recorded = try await decisions.decisions(
            from: DecisionID(effect.first), through: DecisionID(effect.last), in: organization.id)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: recipients, decisions: recorded,
            expiry: try expiry(of: message, composedAt: effect.first.timestamp), keyRing: keys.value)
    }

    /// What is known of recipients before anything is decided about them for good.
    struct Considered: Sendable {
        let recipients: [RecipientID]
        let organization: Organization
        fileprivate let moment: Timestamp
        fileprivate let known: ConsentStandings
    }

    /// Asks where `recipients` stand, and stores nothing.
    func consider(
        _ recipients: [RecipientID], for message: StoredMessage, in organization: Organization
    ) async throws -> Considered {
        let moment = now()
        let known = try await consent.standings(
            of: recipients, for: message.content.purpose, in: organization.id, at: moment)
        return Considered(recipients: recipients, organization: organization, moment: moment, known: known)
    }

    /// Whether what was found of them still holds well enough to decide by.
    func isFresh(_ considered: Considered) -> Bool {
        now() <= considered.moment.advanced(byMilliseconds: Self.greatestAgeInMilliseconds)
    }

    /// The payloads for those who were considered, as ``compose(_:as:for:in:once:)`` makes them.
    func compose(
        _ message: StoredMessage, as compiled: CompiledMessage, for considered: Considered
    ) async throws -> ComposedPayloads {
        let recorded = try await decide(
            message, considered.recipients, considered.organization, at: considered.moment, known: considered.known,
            once: nil)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: considered.recipients, decisions: recorded,
            expiry: try expiry(of: message, composedAt: considered.moment), keyRing: keys.value)
    }

    private func expiry(of message: StoredMessage, composedAt moment: Timestamp) throws -> LinkExpiry {
        try LinkExpiry(
            messageExpiresAt: message.content.expiresAt, composedAt: moment, lifetimeInDays: linkLifetimeInDays)
    }

    /// What one recipient may get, and what seals their tracking IDs.
    struct Decided {
        let decision: RecordedDecision
        let expiry: LinkExpiry
        let keyRing: KeyRing
    }

    /// Decides about one recipient, for whoever renders otherwise. The decision is durable on return.
    ///
    /// - Parameter refusal: why nobody can be tracked here. It is thrown, and nothing stored, when the verdict is to
    ///   track.
    func decide(
        about recipient: RecipientID, of message: StoredMessage, in organization: Organization,
        once mark: RequestMark?, refusingTracked refusal: BodyProblems?
    ) async throws -> Decided {
        let moment = now()
        let expiry = try expiry(of: message, composedAt: moment)
        let recorded = try await decide(
            message, [recipient], organization, at: moment, once: mark, refusingTracked: refusal)
        guard let decision = recorded.first else { throw StaleStandings() }
        return Decided(decision: decision, expiry: expiry, keyRing: keys.value)
    }

    /// What was decided before; see ``composeAgain(_:as:for:in:_:)``.
    func decideAgain(
        about message: StoredMessage, in organization: Organization, _ effect: RequestEffect
    ) async throws -> Decided {
        let recorded = try await decisions.decisions(
            from: DecisionID(effect.first), through: DecisionID(effect.last), in: organization.id)
        guard let decision = recorded.first else { throw Problem.notFound }
        return Decided(
            decision: decision, expiry: try expiry(of: message, composedAt: effect.first.timestamp),
            keyRing: keys.value)
    }

    /// - Parameter known: where they stand, if it was asked already.
    private func decide(
        _ message: StoredMessage, _ recipients: [RecipientID], _ organization: Organization, at moment: Timestamp,
        known asked: ConsentStandings? = nil, once mark: RequestMark?, refusingTracked refusal: BodyProblems? = nil
    ) async throws -> [RecordedDecision] {
        let policy = ConsentPolicy(enforcement: organization.enforcement)
        var asked = asked
        var attempt = 1
        while true {
            let known: ConsentStandings
            if let first = asked.take() {
                known = first
            } else {
                known = try await consent.standings(
                    of: recipients, for: message.content.purpose, in: organization.id, at: moment)
            }
            let made = zip(recipients, known.standings).map { recipient, standing in
                let verdict = message.content.tracking ? policy.decide(standing, at: moment) : .trackingOff
                return Decision(recipient: recipient, verdict: verdict)
            }
            if let refusal, made.contains(where: { $0.verdict.outcome == .tracked }) { throw refusal }
            do {
                return try await decisions.append(
                    made, of: message.id, enforcement: organization.enforcement, in: organization.id,
                    asOf: known.erasures, at: moment, once: mark)
            } catch is StaleStandings where attempt < Self.maximumAttempts {
                attempt += 1
            }
        }
    }
}
