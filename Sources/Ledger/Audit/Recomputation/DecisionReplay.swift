import Consent
import Identifiers

/// Reads a whole ledger in its order and judges every decision again, from nothing but the entries before it.
struct DecisionReplay: ~Copyable {
    private(set) var result = Recomputation()

    private var timeline = ConsentTimeline()
    private var spellings = RecipientSpellings()
    private var enforcement: Enforcement?
    private var hasErasure = false
    /// What the first decision about a message says about the message, and the index of that decision.
    private var messages: [MessageID: (isTracked: Bool, index: UInt64)] = [:]
    /// The purpose of the first decision about a message and an activity, and the index of that decision.
    private var purposes: [MessageID: [TrackedActivity?: (purpose: Purpose, index: UInt64)]] = [:]

    mutating func change(to enforcement: Enforcement) { self.enforcement = enforcement }

    mutating func erase() { hasErasure = true }

    /// Notes that an entry names a recipient.
    mutating func name(_ recipient: RecipientID, at index: UInt64) {
        if spellings.isRespelled(recipient) { result.addRespelled(index) }
    }

    mutating func record(_ id: ConsentRecordID, _ fields: ConsentFields) {
        let record = ConsentInForce(
            record: id, state: fields.state, occurredAt: fields.occurredAt, validUntil: fields.validUntil)
        timeline.add(record, about: fields.recipient, for: fields.purpose)
    }

    /// - Parameter fields: `nil` if they are not known any more.
    mutating func judge(_ decision: ParsedDecision, _ fields: DecisionFields?, at index: UInt64) {
        let found = DecisionException.Judgement(decision.enforcement, decision.reason, fields?.consent)
        if let expected = expectation(decision, fields, found, at: index) {
            result.add(DecisionException(index: index, id: decision.id, expected: expected, found: found))
        }
    }

    /// - Returns: `nil` for a decision as expected, which is counted.
    private mutating func expectation(
        _ decision: ParsedDecision, _ fields: DecisionFields?, _ found: DecisionException.Judgement, at index: UInt64
    ) -> DecisionException.Expectation? {
        guard let enforcement else { return .noDecision }
        guard let fields else {
            guard decision.enforcement == enforcement else { return .enforcement(enforcement) }
            guard decision.reason.isPossible(under: enforcement) else { return .anotherReason }
            result.closed += 1
            return nil
        }
        if let message = disagreement(about: fields.message, decision.reason, at: index) { return message }
        if let other = otherPurpose(fields.message, fields.purpose, decision.activity, at: index) { return other }
        if decision.reason == .trackingOffForMessage {
            guard found == DecisionException.Judgement(enforcement, .trackingOffForMessage, nil) else {
                return .judgement(DecisionException.Judgement(enforcement, .trackingOffForMessage, nil))
            }
            result.untrackedMessages += 1
            return nil
        }
        let inForce = fields.recipient.flatMap { timeline.inForce($0, fields.purpose, at: decision.instant) }
        // A consent that had ended when it was recorded leaves its recipient erased.
        let tellsNothing = inForce?.isExpired(at: decision.instant) ?? true
        if inForce == nil && fields.recipient == nil || tellsNothing && decision.reason == .recipientErased {
            return erasedExpectation(enforcement, found)
        }
        let status = inForce.map(ConsentStatus.inForce) ?? .nothing
        let verdict = ConsentPolicy(enforcement: enforcement).decide(status, at: decision.instant)
        let expected = DecisionException.Judgement(enforcement, verdict.reason, verdict.basis)
        guard found == expected else { return .judgement(expected) }
        result.recomputed += 1
        return nil
    }

    private mutating func erasedExpectation(
        _ enforcement: Enforcement, _ found: DecisionException.Judgement
    ) -> DecisionException.Expectation? {
        let expected = DecisionException.Judgement(enforcement, .recipientErased, nil)
        guard found == expected else { return .judgement(expected) }
        guard hasErasure else { return .noErasure }
        result.aboutErased += 1
        return nil
    }

    /// Whether a message is tracked is part of the message, and never changes.
    private mutating func disagreement(
        about message: MessageID, _ reason: DecisionReason, at index: UInt64
    ) -> DecisionException.Expectation? {
        let isTracked = reason != .trackingOffForMessage
        guard let first = messages[message] else {
            messages[message] = (isTracked, index)
            return nil
        }
        return first.isTracked == isTracked ? nil : .asOther(first.index, isTracked: first.isTracked)
    }

    /// The purposes are part of a message and never change: for clicks and opens together or separately.
    private mutating func otherPurpose(
        _ message: MessageID, _ purpose: Purpose, _ activity: TrackedActivity?, at index: UInt64
    ) -> DecisionException.Expectation? {
        let known = purposes[message] ?? [:]
        if let other = known.first(where: { ($0.key == nil) != (activity == nil) })?.value {
            return .forPurposesOf(other.index)
        }
        if let same = known[activity] { return same.purpose == purpose ? nil : .forPurposesOf(same.index) }
        purposes[message, default: [:]][activity] = (purpose, index)
        return nil
    }
}

extension DecisionReason {
    /// Whether the policy can give this reason.
    fileprivate func isPossible(under enforcement: Enforcement) -> Bool {
        switch self {
        case .noConsentRecord, .consentExpired: enforcement == .restrictive
        case .notOptedOut: enforcement == .nonRestrictive
        case .consentGiven, .consentRefused, .consentWithdrawn, .consentRevoked, .consentInvalidated,
            .recipientErased, .trackingOffForMessage:
            true
        }
    }
}
