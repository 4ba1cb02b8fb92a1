import Consent
import Identifiers
import Testing

@Suite struct AppliedRuleTests {
    private static let now = Timestamp(secondsSince1970: 1_795_338_000)

    private func entry(
        _ verdict: ConsentVerdict, _ enforcement: Enforcement, isErased: Bool = false
    ) throws -> DecisionEntry {
        DecisionEntry(
            id: try #require(DecisionID(rawValue: 1)), recipient: isErased ? nil : try RecipientID("ana@example.com"),
            message: try #require(MessageID(rawValue: 2)), purpose: .tracking, reason: verdict.reason,
            enforcement: enforcement, consent: isErased ? nil : verdict.basis)
    }

    private func status(_ row: AppliedRule.InForce) throws -> ConsentStatus {
        func inForce(_ state: ConsentState, until end: Timestamp? = nil) throws -> ConsentStatus {
            .inForce(
                ConsentInForce(
                    record: try #require(ConsentRecordID(rawValue: 3)), state: state,
                    occurredAt: Self.now.advanced(byMilliseconds: -10), validUntil: end))
        }
        return switch row {
        case .nothing: .nothing
        case .given: try inForce(.given)
        case .expired: try inForce(.given, until: Self.now)
        case .refused: try inForce(.refused)
        case .withdrawn: try inForce(.withdrawn)
        case .revoked: try inForce(.revoked)
        case .invalidated: try inForce(.invalidated)
        case .erased: .erased
        }
    }

    @Test("the rule named is the one that the policy applied", arguments: Enforcement.allCases)
    func agreesWithPolicy(_ enforcement: Enforcement) throws {
        for row in AppliedRule.InForce.allCases {
            let verdict = ConsentPolicy(enforcement: enforcement).decide(try status(row), at: Self.now)
            #expect(AppliedRule(try entry(verdict, enforcement)).inForce == row)
        }
    }

    @Test("a message that tracks no recipient asks for no consent")
    func trackingOff() throws {
        #expect(AppliedRule(try entry(.trackingOff, .restrictive)).inForce == nil)
    }

    @Test("what erasure has taken is not made up")
    func erasedSince() throws {
        let policy = ConsentPolicy(enforcement: .nonRestrictive)
        for row in [AppliedRule.InForce.nothing, .expired] {
            let verdict = policy.decide(try status(row), at: Self.now)
            #expect(AppliedRule(try entry(verdict, .nonRestrictive, isErased: true)).inForce == nil)
        }
    }

    @Test("each reason is said in words of its own, and names the enforcement where that made the difference")
    func sentences() throws {
        let sentences = try DecisionReason.allCases.map {
            AppliedRule(try entry(ConsentVerdict(reason: $0), .restrictive)).sentence
        }
        #expect(Set(sentences).count == DecisionReason.allCases.count)
        for (reason, sentence) in zip(DecisionReason.allCases, sentences) {
            let matters = [.notOptedOut, .noConsentRecord, .consentExpired].contains(reason)
            #expect(sentence.contains("estrictive") == matters, "\(reason)")
        }
    }
}
