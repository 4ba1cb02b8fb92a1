import Consent
import Identifiers
import TestSupport
import Testing

@Suite struct ConsentPolicyTests {
    /// One line of the table in `docs/using.md`.
    struct Line: Sendable, CustomTestStringConvertible {
        let status: String
        let state: ConsentState?
        /// The end of what was given, counted from the moment of the decision, in milliseconds.
        var end: Int64?
        let restrictive: DecisionReason
        let nonRestrictive: DecisionReason

        var testDescription: String { status }
    }

    static let table = [
        Line(status: "nothing", state: nil, restrictive: .noConsentRecord, nonRestrictive: .notOptedOut),
        Line(status: "given", state: .given, restrictive: .consentGiven, nonRestrictive: .consentGiven),
        Line(
            status: "given for a millisecond more", state: .given, end: 1, restrictive: .consentGiven,
            nonRestrictive: .consentGiven),
        Line(
            status: "given until now", state: .given, end: 0, restrictive: .consentExpired,
            nonRestrictive: .notOptedOut),
        Line(
            status: "given, past its end", state: .given, end: -1, restrictive: .consentExpired,
            nonRestrictive: .notOptedOut),
        Line(status: "refused", state: .refused, restrictive: .consentRefused, nonRestrictive: .consentRefused),
        Line(
            status: "withdrawn", state: .withdrawn, restrictive: .consentWithdrawn, nonRestrictive: .consentWithdrawn),
        Line(status: "revoked", state: .revoked, restrictive: .consentRevoked, nonRestrictive: .consentRevoked),
        Line(
            status: "invalidated", state: .invalidated, restrictive: .consentInvalidated,
            nonRestrictive: .consentInvalidated),
    ]

    @Test("the table of states and enforcement", arguments: table, Enforcement.allCases)
    func decides(_ line: Line, _ enforcement: Enforcement) throws {
        let now = Timestamp.noon + 86_400_000
        let consent = try line.state.map {
            try ConsentInForce.sample($0, record: 77, until: line.end.map { now + $0 })
        }
        let verdict = ConsentPolicy(enforcement: enforcement)
            .decide(consent.map(ConsentStatus.inForce) ?? .nothing, at: now)
        #expect(verdict.reason == (enforcement == .restrictive ? line.restrictive : line.nonRestrictive))
        #expect(verdict.outcome == verdict.reason.outcome)
        #expect(verdict.basis == consent?.record, "it rests on the record in force, and on none where there is none")
    }

    @Test("an erased person is not tracked under any enforcement", arguments: Enforcement.allCases)
    func erased(_ enforcement: Enforcement) {
        let verdict = ConsentPolicy(enforcement: enforcement).decide(.erased, at: .noon)
        #expect(verdict == ConsentVerdict(reason: .recipientErased))
        #expect(verdict.outcome == .untracked)
    }

    @Test(
        "a recipient who refused or withdrew is tracked under no enforcement", arguments: ConsentState.allCases,
        Enforcement.allCases)
    func no(_ state: ConsentState, _ enforcement: Enforcement) throws {
        let verdict = ConsentPolicy(enforcement: enforcement)
            .decide(.inForce(try .sample(state)), at: .noon)
        #expect(verdict.outcome == (state == .given ? .tracked : .untracked))
        #expect(state.endsTracking == (state != .given))
    }

    @Test("an end that was stored with a no does not turn it into an expired yes", arguments: Enforcement.allCases)
    func endOfNo(_ enforcement: Enforcement) throws {
        let status = ConsentStatus.inForce(try .sample(.withdrawn, until: .noon))
        let policy = ConsentPolicy(enforcement: enforcement)
        #expect(policy.decide(status, at: .noon + 1).reason == .consentWithdrawn)
        #expect(policy.recordingEnd(for: status) == .distantPast)
    }

    @Test("a message that is not tracked needs no consent status and tracks no recipient")
    func trackingOff() {
        #expect(ConsentVerdict.trackingOff == ConsentVerdict(reason: .trackingOffForMessage, basis: nil))
        #expect(ConsentVerdict.trackingOff.outcome == .untracked)
    }

    static let statuses: [(ConsentState?, Int64?)] =
        [(nil, nil), (.given, nil), (.given, Int64.min), (.given, -1), (.given, 0), (.given, 1), (.given, 1000)]
        + ConsentState.allCases.filter(\.endsTracking).flatMap { [($0, nil), ($0, Int64(1))] }

    @Test(
        "recording ends exactly when the decision would turn", arguments: statuses, Enforcement.allCases)
    func recordingEnd(_ status: (state: ConsentState?, end: Int64?), _ enforcement: Enforcement) throws {
        let consent = try status.state.map { try ConsentInForce.sample($0, until: status.end.map { .noon + $0 }) }
        let instants = ([-2000, -2, -1, 0, 1, 2, 999, 1000, 1001] as [Int64]).map { Timestamp.noon + $0 }
        for instant in instants + [.distantPast, .distantFuture] {
            expectAgreement(of: consent.map(ConsentStatus.inForce) ?? .nothing, enforcement, at: instant)
            expectAgreement(of: .erased, enforcement, at: instant)
        }
    }

    @Test("so it is for any standing at any moment")
    func agreementAtRandom() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let state = try #require(ConsentState.allCases.randomElement(using: &generator))
            let near = Timestamp.noon + .random(in: -5...5, using: &generator)
            let until = Bool.random(using: &generator) ? near : nil
            let status = ConsentStatus.inForce(try .sample(state, until: until))
            let enforcement = try #require(Enforcement.allCases.randomElement(using: &generator))
            expectAgreement(of: status, enforcement, at: .noon + .random(in: -7...7, using: &generator))
        }
    }

    @Test(
        "only a no to open-tracking is a no to opens, whatever the enforcement", arguments: statuses,
        Enforcement.allCases)
    func refusedOpens(_ status: (state: ConsentState?, end: Int64?), _ enforcement: Enforcement) throws {
        let consent = try status.state.map { try ConsentInForce.sample($0, until: status.end.map { .noon + $0 }) }
        let policy = ConsentPolicy(enforcement: enforcement)
        for status in [consent.map(ConsentStatus.inForce) ?? .nothing, .erased] {
            let ends = policy.recordingEnds(for: status, of: .openTracking)
            #expect(ends.map(\.scope) == [.purpose(.openTracking), .refusedOpens])
            #expect(ends.map(\.end) == [policy.recordingEnd(for: status), status.endsTracking ? .distantPast : nil])
            let others = policy.recordingEnds(for: status, of: .tracking)
            #expect(others.map(\.scope) == [.purpose(.tracking)])
            #expect(others.map(\.end) == [policy.recordingEnd(for: status)])
        }
    }

    private func expectAgreement(of status: ConsentStatus, _ enforcement: Enforcement, at instant: Timestamp) {
        let policy = ConsentPolicy(enforcement: enforcement)
        let isTracked = policy.decide(status, at: instant).outcome == .tracked
        let mayRecord = policy.recordingEnd(for: status).map { instant < $0 } ?? true
        #expect(isTracked == mayRecord, "\(status) under \(enforcement) at \(instant)")
    }
}
