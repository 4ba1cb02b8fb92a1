import Consent
import Identifiers
import TestSupport
import Testing

@Suite struct DecisionTests {
    @Test("two reasons track, and no other does", arguments: DecisionReason.allCases)
    func outcome(_ reason: DecisionReason) {
        #expect((reason.outcome == .tracked) == [.consentGiven, .notOptedOut].contains(reason))
    }

    @Test("an auditor reads these words, which never change")
    func words() {
        let reasons = DecisionReason.allCases.map(\.rawValue)
        #expect(
            reasons == [
                "consentGiven", "notOptedOut", "noConsentRecord", "consentExpired", "consentRefused",
                "consentWithdrawn", "consentRevoked", "consentInvalidated", "recipientErased", "trackingOffForMessage",
            ])
        #expect(DecisionOutcome.allCases.map(\.rawValue) == ["tracked", "untracked"])
        #expect(Enforcement.allCases.map(\.rawValue) == ["restrictive", "nonRestrictive"])
        #expect(
            ConsentState.allCases.map(\.rawValue) == ["given", "refused", "withdrawn", "revoked", "invalidated"])
    }

    @Test("a stored decision to track names whom", arguments: DecisionReason.allCases)
    func permit(_ reason: DecisionReason) throws {
        let id = try #require(DecisionID(rawValue: 1))
        let reference = try #require(RecipientReference(rawValue: 7))
        let named = try #require(RecordedDecision(stored: id, reason: reason, reference: reference))
        let nameless = RecordedDecision(stored: id, reason: reason, reference: nil)
        switch reason.outcome {
        case .tracked:
            #expect(named.permit == .tracked(reference))
            #expect(nameless == nil, "nobody can be tracked who is nobody")
        case .untracked:
            #expect(named.permit == .untracked, "an untracked payload knows no reference")
            #expect(nameless?.permit == .untracked)
        }
        #expect(named.id == id)
        #expect(named.reason == reason)
    }

    @Test("a stored decision was made when its id was")
    func decidedAt() throws {
        let entry = DecisionEntry(
            id: try #require(DecisionID(rawValue: TimeOrderedNumber.lowerBound(at: .noon) + 5)), recipient: nil,
            message: try #require(MessageID(rawValue: 1)), purpose: .tracking, reason: .noConsentRecord,
            enforcement: .restrictive, consent: nil)
        #expect(entry.decidedAt == .noon)
    }
}
