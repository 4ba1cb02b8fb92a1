import Consent
import Formats
import Identifiers
import JSON
import Messages
import Organizations
import TrackingIDs

/// Composes payloads: asks for consent, decides, stores the decisions, and only then renders.
struct Composer: Sendable {
    /// How often it asks and decides anew when people are erased while it does.
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
        let recorded = try await decide(message, recipients, organization, once: mark)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: recipients, decisions: recorded,
            expiry: try expiry(of: message, composedAt: recorded.first?.id.number.timestamp ?? now()),
            keyRing: keys.value)
    }

    /// The payloads that were composed before, of the same decisions. A recipient who may no longer be tracked gets the
    /// payload of those who are not: the decision stands as the record of what was decided then, and the reason why it
    /// permits nothing any more is told beside it.
    ///
    /// - Parameter effect: of the request that composed them for the same `recipients`.
    func composeAgain(
        _ message: StoredMessage, as compiled: CompiledMessage, for recipients: [RecipientID],
        in organization: Organization, _ effect: RequestEffect
    ) async throws -> ComposedPayloads {
        let (recorded, ended) = try await standing(
            effect, about: recipients, of: message, in: organization)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: recipients, decisions: recorded, ended: ended,
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
        let decided = try await decide(about: considered, of: message)
        return ComposedPayloads(
            message: message.id, compiled: compiled, recipients: considered.recipients, decisions: decided.decisions,
            expiry: decided.expiry, keyRing: decided.keyRing)
    }

    /// What recipients may get, in the order in which they were considered, and what seals their tracking IDs.
    struct DecidedTogether: Sendable {
        let decisions: [RecordedDecision]
        let expiry: LinkExpiry
        let keyRing: KeyRing
    }

    /// Decides about those who were considered, for a caller that renders otherwise. The decisions are durable on
    /// return.
    func decide(about considered: Considered, of message: StoredMessage) async throws -> DecidedTogether {
        let recorded = try await decide(
            message, considered.recipients, considered.organization, considered: considered, once: nil)
        return DecidedTogether(
            decisions: recorded,
            expiry: try expiry(of: message, composedAt: recorded.first?.id.number.timestamp ?? considered.moment),
            keyRing: keys.value)
    }

    private func expiry(of message: StoredMessage, composedAt moment: Timestamp) throws -> LinkExpiry {
        let latest = try LinkExpiry(
            messageExpiresAt: nil, composedAt: moment, lifetimeInDays: linkLifetimeInDays)
        guard message.content.expiresAt != nil else { return latest }
        let own = try LinkExpiry(
            messageExpiresAt: message.content.expiresAt, composedAt: moment, lifetimeInDays: linkLifetimeInDays)
        // A message may have been stored before the lifetime bounded what it can ask for.
        return min(own, latest)
    }

    /// What one recipient may get, and what seals their tracking IDs.
    struct Decided {
        let decision: RecordedDecision
        /// Why a recipient who was tracked is so no more; for a repeated request.
        var ended: DecisionReason?
        let expiry: LinkExpiry
        let keyRing: KeyRing
    }

    /// Decides about one recipient, for a caller that renders otherwise. The decision is durable on return.
    func decide(
        about recipient: RecipientID, of message: StoredMessage, in organization: Organization,
        once mark: RequestMark?
    ) async throws -> Decided {
        let recorded = try await decide(message, [recipient], organization, once: mark)
        guard let decision = recorded.first else { throw StaleStandings() }
        return Decided(
            decision: decision, expiry: try expiry(of: message, composedAt: decision.id.number.timestamp),
            keyRing: keys.value)
    }

    /// What was decided before; see ``composeAgain(_:as:for:in:_:)``.
    func decideAgain(
        about recipient: RecipientID, of message: StoredMessage, in organization: Organization,
        _ effect: RequestEffect
    ) async throws -> Decided {
        let (recorded, ended) = try await standing(effect, about: [recipient], of: message, in: organization)
        guard let decision = recorded.first else { throw Problem.notFound }
        return Decided(
            decision: decision, ended: ended[0], expiry: try expiry(of: message, composedAt: effect.first.timestamp),
            keyRing: keys.value)
    }

    /// - Parameter considered: where they stand, if it was asked already.
    private func decide(
        _ message: StoredMessage, _ recipients: [RecipientID], _ organization: Organization,
        considered: Considered? = nil, once mark: RequestMark?
    ) async throws -> [RecordedDecision] {
        // Before anything is stored: a lifetime that no link can carry is refused.
        _ = try expiry(of: message, composedAt: now())
        let policy = ConsentPolicy(enforcement: organization.enforcement)
        var first = considered
        var attempt = 1
        while true {
            let asked: Considered
            if let known = first.take() {
                asked = known
            } else {
                asked = try await consider(recipients, for: message, in: organization)
            }
            let made = zip(recipients, asked.known.standings).map { recipient, standing in
                let verdict = message.content.tracking ? policy.decide(standing, at: asked.moment) : .trackingOff
                return Decision(recipient: recipient, verdict: verdict)
            }
            do {
                return try await decisions.append(
                    made, of: message.id, enforcement: organization.enforcement, in: organization.id,
                    asOf: asked.known.basis, at: asked.moment, once: mark)
            } catch is StaleStandings where attempt < Self.maximumAttempts {
                attempt += 1
            }
        }
    }
}
