import Consent
import Identifiers
import TestSupport
import Testing

@testable import Ledger

/// Every decision is judged again from what was entered before it, and from nothing else.
@Suite("Recomputing the decisions of a ledger")
struct DecisionReplayTests {
    private typealias Judgement = DecisionException.Judgement

    @Test("a decision rests on the record that was in force when it was judged", arguments: ConsentState.allCases)
    func record(state: ConsentState) throws {
        let ledger = try Ledger()
        var replay = DecisionReplay()
        replay.change(to: .restrictive)
        replay.record(ledger.consent, try ledger.fields(state, at: .noon))
        let reason: DecisionReason =
            switch state {
            case .given: .consentGiven
            case .refused: .consentRefused
            case .withdrawn: .consentWithdrawn
            case .revoked: .consentRevoked
            case .invalidated: .consentInvalidated
            }
        // One millisecond before, nothing had been said.
        replay.judge(try ledger.decision(.noConsentRecord, at: .noon + -1), try ledger.fields(), at: 0)
        replay.judge(try ledger.decision(reason, at: .noon), try ledger.fields(ledger.consent), at: 1)
        #expect(replay.result.recomputed == 2)
        #expect(replay.result.exceptionCount == 0)

        // The right answer for a wrong reason: without the record, or with another one.
        replay.judge(try ledger.decision(reason, at: .noon), try ledger.fields(), at: 2)
        replay.judge(try ledger.decision(reason, at: .noon), try ledger.fields(ledger.otherConsent), at: 3)
        let expected = Judgement(.restrictive, reason, ledger.consent)
        #expect(replay.result.exceptions.map(\.index) == [2, 3])
        #expect(replay.result.exceptions.allSatisfy { $0.expected == .judgement(expected) })
        #expect(replay.result.recomputed == 2)
    }

    @Test("an e-mail address in several spellings is counted once, with the first entry of another spelling")
    func spellings() throws {
        var replay = DecisionReplay()
        let names = [
            "ana@example.com", "Ana@example.com", "ana@example.com", "ANA@EXAMPLE.COM", "bo@example.com",
            "bo@example.com", "4711", "Cy@Example.com", "Cy@Example.com", "cy@example.com", "x-Y", "x-y",
        ]
        for (index, name) in names.enumerated() { replay.name(try RecipientID(name), at: UInt64(index)) }
        #expect(replay.result.respelledCount == 2)
        #expect(replay.result.respelled == [1, 9])
    }

    @Test("a consent ends with its last instant, and what then holds is the enforcement's")
    func expiry() throws {
        let ledger = try Ledger()
        for (enforcement, after) in [
            (Enforcement.restrictive, DecisionReason.consentExpired), (.nonRestrictive, .notOptedOut),
        ] {
            var replay = DecisionReplay()
            replay.change(to: enforcement)
            replay.record(ledger.consent, try ledger.fields(.given, at: .noon, until: .noon + 10))
            let given = try ledger.decision(.consentGiven, at: .noon + 9, under: enforcement)
            replay.judge(given, try ledger.fields(ledger.consent), at: 0)
            let expired = try ledger.decision(after, at: .noon + 10, under: enforcement)
            replay.judge(expired, try ledger.fields(ledger.consent), at: 1)
            #expect(replay.result.recomputed == 2)
            replay.judge(
                try ledger.decision(.consentGiven, at: .noon + 10, under: enforcement),
                try ledger.fields(ledger.consent), at: 2)
            #expect(replay.result.exceptions.map(\.index) == [2])
        }
    }

    @Test("a decision under an enforcement that was not the last one entered is an exception")
    func enforcement() throws {
        let ledger = try Ledger()
        var replay = DecisionReplay()
        replay.judge(try ledger.decision(.noConsentRecord), try ledger.fields(), at: 0)
        #expect(replay.result.exceptions.last?.expected == .noDecision)
        replay.change(to: .nonRestrictive)
        replay.judge(try ledger.decision(.notOptedOut, under: .nonRestrictive), try ledger.fields(), at: 1)
        #expect(replay.result.recomputed == 1)
        replay.change(to: .restrictive)
        replay.judge(try ledger.decision(.notOptedOut, under: .nonRestrictive), try ledger.fields(), at: 2)
        #expect(
            replay.result.exceptions.last?.expected
                == .judgement(Judgement(.restrictive, .noConsentRecord, nil)))
        #expect(replay.result.exceptionCount == 2)
    }

    @Test("a decision without its private fields must still fit the enforcement", arguments: Enforcement.allCases)
    func closed(enforcement: Enforcement) throws {
        let ledger = try Ledger()
        let impossible: Set<DecisionReason> =
            enforcement == .restrictive ? [.notOptedOut] : [.noConsentRecord, .consentExpired]
        for reason in DecisionReason.allCases {
            var replay = DecisionReplay()
            replay.change(to: enforcement)
            replay.judge(try ledger.decision(reason, under: enforcement), nil, at: 7)
            let isPossible = !impossible.contains(reason)
            #expect(replay.result.closed == (isPossible ? 1 : 0), "\(reason)")
            #expect(replay.result.exceptions.map(\.expected) == (isPossible ? [] : [.anotherReason]), "\(reason)")
        }
        let other: Enforcement = enforcement == .restrictive ? .nonRestrictive : .restrictive
        var replay = DecisionReplay()
        replay.change(to: other)
        replay.judge(try ledger.decision(.consentGiven, under: enforcement), nil, at: 8)
        #expect(replay.result.exceptions.map(\.expected) == [.enforcement(other)])
    }

    @Test("somebody is judged as erased only after an erasure, without a record, and untracked")
    func erased() throws {
        let ledger = try Ledger()
        var replay = DecisionReplay()
        replay.change(to: .nonRestrictive)
        let erased = try ledger.decision(.recipientErased, under: .nonRestrictive)
        replay.judge(erased, try ledger.fields(), at: 0)
        #expect(replay.result.exceptions.map(\.expected) == [.noErasure])
        replay.erase()
        replay.judge(erased, try ledger.fields(), at: 1)
        replay.judge(erased, try ledger.fields(recipient: nil), at: 2)
        #expect(replay.result.aboutErased == 2)
        // Nobody's decision can track: it names no recipient.
        replay.judge(
            try ledger.decision(.notOptedOut, under: .nonRestrictive), try ledger.fields(recipient: nil), at: 3)
        let expected = Judgement(.nonRestrictive, .recipientErased, nil)
        #expect(replay.result.exceptions.last?.expected == .judgement(expected))
        // A record entered since says more than the erasure.
        replay.record(ledger.consent, try ledger.fields(.given, at: .noon))
        replay.judge(erased, try ledger.fields(), at: 4)
        #expect(replay.result.exceptions.map(\.index) == [0, 3, 4])
        #expect(replay.result.aboutErased == 2)
    }

    @Test("a yes that had ended leaves its recipient erased, or not: the ledger does not tell who was erased")
    func erasedBehindEnd() throws {
        let ledger = try Ledger()
        var replay = DecisionReplay()
        replay.change(to: .nonRestrictive)
        replay.record(ledger.consent, try ledger.fields(.given, at: .noon, until: .noon + 10))
        func erased(at instant: Timestamp) throws -> ParsedDecision {
            try ledger.decision(.recipientErased, at: instant, under: .nonRestrictive)
        }
        replay.judge(try erased(at: .noon + 10), try ledger.fields(), at: 0)
        #expect(replay.result.exceptions.map(\.expected) == [.noErasure])
        replay.erase()
        replay.judge(try erased(at: .noon + 10), try ledger.fields(), at: 1)
        #expect(replay.result.aboutErased == 1)
        let other = try ledger.decision(.notOptedOut, at: .noon + 10, under: .nonRestrictive)
        replay.judge(other, try ledger.fields(ledger.consent), at: 2)
        #expect(replay.result.recomputed == 1)
        replay.judge(try erased(at: .noon + 9), try ledger.fields(), at: 3)
        #expect(replay.result.exceptions.map(\.index) == [0, 3])
    }

    @Test("a message whose tracking is off is off in all of its decisions")
    func messages() throws {
        let ledger = try Ledger()
        var replay = DecisionReplay()
        replay.change(to: .restrictive)
        let off = try ledger.decision(.trackingOffForMessage)
        replay.judge(off, try ledger.fields(), at: 0)
        replay.judge(off, try ledger.fields(message: ledger.otherMessage), at: 1)
        #expect(replay.result.untrackedMessages == 2)
        replay.judge(try ledger.decision(.noConsentRecord), try ledger.fields(), at: 2)
        #expect(replay.result.exceptions.map(\.expected) == [.asOther(0, isTracked: false)])
        // It rests on the message alone, so it names no record.
        replay.judge(off, try ledger.fields(ledger.consent), at: 3)
        #expect(
            replay.result.exceptions.last?.expected
                == .judgement(Judgement(.restrictive, .trackingOffForMessage, nil)))

        var other = DecisionReplay()
        other.change(to: .restrictive)
        other.judge(try ledger.decision(.noConsentRecord), try ledger.fields(), at: 5)
        other.judge(off, try ledger.fields(), at: 6)
        #expect(other.result.exceptions.map(\.expected) == [.asOther(5, isTracked: true)])
    }

    @Test("what a message asks consent for is the same in all of its decisions")
    func purposes() throws {
        typealias Case = (TrackedActivity?, Purpose)
        let (tracking, offers) = (Purpose.tracking, try Purpose("offers"))
        let cases: [(first: [Case], then: Case, expected: DecisionException.Expectation?)] = [
            ([(nil, tracking)], (nil, tracking), nil),
            ([(nil, tracking)], (nil, offers), .forPurposesOf(0)),
            ([(.clicks, tracking), (.opens, offers)], (.opens, offers), nil),
            ([(.clicks, tracking), (.opens, offers)], (.opens, tracking), .forPurposesOf(1)),
            ([(.clicks, tracking)], (nil, tracking), .forPurposesOf(0)),
            ([(nil, tracking)], (.clicks, tracking), .forPurposesOf(0)),
        ]
        let ledger = try Ledger()
        for (first, then, expected) in cases {
            var replay = DecisionReplay()
            replay.change(to: .restrictive)
            for (index, (activity, purpose)) in (first + [then]).enumerated() {
                replay.judge(
                    try ledger.decision(.noConsentRecord, about: activity), try ledger.fields(purpose: purpose),
                    at: UInt64(index))
            }
            #expect(replay.result.exceptions.map(\.expected) == [expected].compactMap(\.self), "\(first) \(then)")
        }
    }

    @Test("of many exceptions the first thousand are kept, and all are counted")
    func many() throws {
        let ledger = try Ledger()
        var replay = DecisionReplay()
        let decision = try ledger.decision(.consentGiven)
        for index in 0..<1005 { replay.judge(decision, try ledger.fields(), at: UInt64(index)) }
        #expect(replay.result.exceptionCount == 1005)
        #expect(replay.result.exceptions.map(\.index) == Array(0..<1000))
    }

    @Test("an exception says in words what was expected, and nobody's name")
    func words() throws {
        let ledger = try Ledger()
        let consent = Judgement(.restrictive, .consentGiven, ledger.consent)
        #expect(
            consent.description
                == "tracked consentGiven under restrictive, resting on consent record \(ledger.consent)")
        let expectations: [(DecisionException.Expectation, String)] = [
            (.noDecision, "no decision, because no enforcement was entered before it"),
            (.enforcement(.restrictive), "a decision under restrictive, which was entered last"),
            (.anotherReason, "another reason, because the policy has no such reason under this enforcement"),
            (.noErasure, "another reason, because no recipient was erased before it"),
            (.asOther(4, isTracked: true), "tracking on, as in entry 4 about the same message"),
            (.asOther(4, isTracked: false), "tracking off, as in entry 4 about the same message"),
            (.forPurposesOf(4), "a decision about the purposes that entry 4 shows for the same message"),
        ]
        for (expectation, text) in expectations { #expect(expectation.description == text) }
    }
}

/// One recipient, two messages, two consent records.
private struct Ledger {
    let consent: ConsentRecordID
    let otherConsent: ConsentRecordID
    let message: MessageID
    let otherMessage: MessageID
    let recipient: RecipientID

    init() throws {
        consent = ConsentRecordID(try TimeOrderedNumber("3357d7d9f4000001"))
        otherConsent = ConsentRecordID(try TimeOrderedNumber("3357d7d9f4000002"))
        message = MessageID(try TimeOrderedNumber("3357d7d9f4000003"))
        otherMessage = MessageID(try TimeOrderedNumber("3357d7d9f4000004"))
        recipient = try RecipientID("ana@example.com")
    }

    func decision(
        _ reason: DecisionReason, about activity: TrackedActivity? = nil, at instant: Timestamp = .noon,
        under enforcement: Enforcement = .restrictive
    ) throws -> ParsedDecision {
        ParsedDecision(
            id: DecisionID(try TimeOrderedNumber("3357d7d9f4000009")), instant: instant, activity: activity,
            reason: reason, enforcement: enforcement, commit: Commitment(InlineArray(repeating: 1)))
    }

    func fields(_ consent: ConsentRecordID? = nil) throws -> DecisionFields {
        try fields(consent, message: message, recipient: recipient)
    }

    func fields(message: MessageID) throws -> DecisionFields { try fields(nil, message: message, recipient: recipient) }

    func fields(recipient: RecipientID?) throws -> DecisionFields {
        try fields(nil, message: message, recipient: recipient)
    }

    func fields(purpose: Purpose) throws -> DecisionFields {
        try fields(nil, message: message, recipient: recipient, purpose: purpose)
    }

    private func fields(
        _ consent: ConsentRecordID?, message: MessageID, recipient: RecipientID?, purpose: Purpose = .tracking
    ) throws -> DecisionFields {
        let written = PrivateFields.decision(
            recipient: recipient, message: message, purpose: purpose, consent: consent)
        return try #require(DecisionFields(written[...]))
    }

    func fields(_ state: ConsentState, at instant: Timestamp, until end: Timestamp? = nil) throws -> ConsentFields {
        let record = ConsentRecord(
            id: consent, purpose: .tracking, state: state, occurredAt: instant, recordedAt: instant, validUntil: end,
            evidence: nil)
        return try #require(ConsentFields(PrivateFields.consent(record, about: recipient)[...]))
    }
}
