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

    let consent: any ConsentStore
    let decisions: any DecisionLog
    let keys: CurrentKeyRing
    let linkLifetimeInDays: Int
    let now: @Sendable () -> Timestamp

    /// One recipient's share of a composed message.
    struct Composed {
        let recipient: RecipientID
        let decision: RecordedDecision
        let payload: [UInt8]
    }

    /// The payloads for `recipients`, in their order. Their decisions are durable on return; when it throws, none is
    /// stored and none may leave.
    func compose(
        _ message: StoredMessage, as compiled: CompiledMessage, for recipients: [RecipientID],
        in organization: Organization
    ) async throws -> [Composed] {
        let moment = now()
        let expiry = try LinkExpiry(
            messageExpiresAt: message.content.expiresAt, composedAt: moment, lifetimeInDays: linkLifetimeInDays)
        let recorded = try await decide(message, recipients, organization, at: moment)
        let sealer = try TrackingIDSealer(keyRing: keys.value)
        return zip(recipients, recorded).map { recipient, decision in
            var payload: [UInt8] = []
            compiled.render(decision, of: message.id, expiry: expiry, sealer: sealer, into: &payload)
            return Composed(recipient: recipient, decision: decision, payload: payload)
        }
    }

    private func decide(
        _ message: StoredMessage, _ recipients: [RecipientID], _ organization: Organization, at moment: Timestamp
    ) async throws -> [RecordedDecision] {
        let policy = ConsentPolicy(enforcement: organization.enforcement)
        var attempt = 1
        while true {
            let known = try await consent.standings(
                of: recipients, for: message.content.purpose, in: organization.id, at: moment)
            let made = zip(recipients, known.standings).map { recipient, standing in
                let verdict = message.content.tracking ? policy.decide(standing, at: moment) : .trackingOff
                return Decision(recipient: recipient, verdict: verdict)
            }
            do {
                return try await decisions.append(
                    made, of: message.id, enforcement: organization.enforcement, in: organization.id,
                    asOf: known.erasures, at: moment)
            } catch is StaleStandings where attempt < Self.maximumAttempts {
                attempt += 1
            }
        }
    }
}
