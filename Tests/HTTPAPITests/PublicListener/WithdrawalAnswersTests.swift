import Consent
import Identifiers
import TestSupport
import Testing

@testable import HTTPAPI

/// The page says that something is recorded exactly where some message of the organization may record it.
@Suite struct WithdrawalAnswersTests {
    /// What a recipient said, about one purpose.
    enum Said: CaseIterable { case nothing, yes, no }

    private typealias Part = WithdrawalPage.Part
    private typealias State = WithdrawalPage.State

    private func status(_ said: Said) throws -> ConsentStatus {
        guard said != .nothing else { return .nothing }
        return .inForce(
            ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: 1)), state: said == .yes ? .given : .refused,
                occurredAt: .noon, validUntil: nil))
    }

    private func answers(
        _ purposes: MessagePurposes, _ said: [Purpose: Said], _ enforcement: Enforcement
    ) throws -> WithdrawalAnswers {
        let statuses = try WithdrawalAnswers.purposes(of: purposes).map { try status(said[$0] ?? .nothing) }
        return try #require(
            WithdrawalAnswers(statuses, to: purposes, ConsentPolicy(enforcement: enforcement), at: .noon))
    }

    private func states(_ answers: WithdrawalAnswers) -> (clicks: State?, opens: State?) {
        let states = Dictionary(uniqueKeysWithValues: answers.entries.map { ($0.part, $0.state) })
        return (states[.everything] ?? states[.clicks], states[.everything] ?? states[.opens])
    }

    @Test(
        "links and opens are recorded where the page says so, and there alone",
        arguments: [Enforcement.restrictive, .nonRestrictive], Said.allCases)
    func truth(_ enforcement: Enforcement, _ tracking: Said) throws {
        func isTracked(_ said: Said) -> Bool { said == .yes || said == .nothing && enforcement == .nonRestrictive }
        for apart in Said.allCases {
            let isOrdinaryOpenRecorded = isTracked(tracking) && apart != .no
            let opens = isOrdinaryOpenRecorded || isTracked(apart)
            for purposes in [MessagePurposes.tracking, MessagePurposes(clicks: .tracking, opens: .openTracking)] {
                let found = try answers(purposes, [.tracking: tracking, .openTracking: apart], enforcement)
                #expect((states(found).clicks == .on) == isTracked(tracking), "\(purposes) \(apart)")
                #expect((states(found).opens == .on) == opens, "\(purposes) \(apart)")
            }
            let news = MessagePurposes(clicks: try Purpose("news"), opens: .tracking)
            let found = try answers(news, [.tracking: tracking, .openTracking: apart], enforcement)
            #expect((states(found).opens == .on) == isOrdinaryOpenRecorded, "\(apart)")
        }
    }

    @Test("one answer to both makes a page about both; a form about opens is about open-tracking then")
    func parts() throws {
        let both = try answers(.tracking, [.tracking: .yes], .restrictive)
        #expect(both.entries == [.init(part: .everything, purpose: .tracking, state: .on)])
        var ended = try answers(.tracking, [.tracking: .no], .nonRestrictive)
        #expect(
            ended.entries == [
                .init(part: .clicks, purpose: .tracking, state: .ended),
                .init(part: .opens, purpose: .openTracking, state: .on),
            ])
        #expect(ended.purposes(of: nil) == [.tracking])
        #expect(ended.purposes(of: [.opens]) == [.openTracking])
        ended.end([.openTracking])
        #expect(ended.entries == [.init(part: .everything, purpose: .tracking, state: .ended)])
    }

    @Test("a page about another purpose looks up no further one, and stays one")
    func otherPurpose() throws {
        let offers = MessagePurposes(both: try Purpose("offers"))
        #expect(WithdrawalAnswers.purposes(of: offers) == offers.distinct)
        let found = try answers(offers, [offers.clicks: .yes], .restrictive)
        #expect(found.entries == [.init(part: .everything, purpose: offers.clicks, state: .on)])
        #expect(WithdrawalAnswers.purposes(of: .tracking) == [.tracking, .openTracking])
    }

    @Test("an erased recipient has no answers")
    func erased() {
        let policy = ConsentPolicy(enforcement: .nonRestrictive)
        #expect(WithdrawalAnswers([.erased, .erased], to: .tracking, policy, at: .noon) == nil)
    }
}
