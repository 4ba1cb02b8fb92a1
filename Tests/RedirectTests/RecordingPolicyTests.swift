import Consent
import Identifiers
import Interactions
import TestSupport
import Testing

@testable import Redirect

@Suite struct RecordingPolicyTests {
    /// What can stand in the way of a record, in the order in which it is named.
    struct Conditions: OptionSet, Sendable {
        let rawValue: Int

        static let head = Self(rawValue: 1)
        static let prefetch = Self(rawValue: 2)
        static let objection = Self(rawValue: 4)
        static let expired = Self(rawValue: 8)
        static let consentEnded = Self(rawValue: 16)
        static let full = Self(rawValue: 32)
        /// The organization does not honour an objection.
        static let ignoresObjections = Self(rawValue: 64)
    }

    private func verdict(_ conditions: Conditions) -> RecordingPolicy.Verdict {
        RecordingPolicy(
            honorsGPC: !conditions.contains(.ignoresObjections),
            expires: .noon + (conditions.contains(.expired) ? 0 : 1),
            consentEnded: conditions.contains(.consentEnded), isFull: conditions.contains(.full)
        ).verdict(
            isHead: conditions.contains(.head),
            signals: RequestSignals(
                isPrefetch: conditions.contains(.prefetch), hasGlobalPrivacyControl: conditions.contains(.objection),
                agent: .browser),
            at: .noon)
    }

    @Test(
        "each condition alone",
        arguments: [
            ([], .record), (.head, .skip(.head)), (.prefetch, .skip(.prefetch)), (.objection, .skip(.privacyControl)),
            (.expired, .skip(.expired)), (.consentEnded, .skip(.consentEnded)), (.full, .skip(.quota)),
            (.ignoresObjections, .record), ([.objection, .ignoresObjections], .record),
        ] as [(Conditions, RecordingPolicy.Verdict)])
    func alone(_ conditions: Conditions, _ expected: RecordingPolicy.Verdict) {
        #expect(verdict(conditions) == expected)
    }

    @Test("of several conditions the first is the reason, for every combination")
    func combinations() {
        let order: [(Conditions, RecordingPolicy.SkipReason)] = [
            (.head, .head), (.prefetch, .prefetch), (.objection, .privacyControl), (.expired, .expired),
            (.consentEnded, .consentEnded), (.full, .quota),
        ]
        for bits in 0..<128 {
            var conditions = Conditions(rawValue: bits)
            let made = verdict(conditions)
            if conditions.contains(.ignoresObjections) { conditions.remove(.objection) }
            let reason = order.first { conditions.contains($0.0) }?.1
            #expect(made == reason.map { .skip($0) } ?? .record, "\(bits)")
        }
    }

    @Test("recording ends with the moment that a tracking ID names, not after it", arguments: [-1, 0, 1] as [Int64])
    func expiry(_ milliseconds: Int64) {
        let policy = RecordingPolicy(
            honorsGPC: true, expires: .noon + milliseconds, consentEnded: false, isFull: false)
        #expect(policy.verdict(at: .noon) == (milliseconds > 0 ? .record : .skip(.expired)))
    }

    @Test("a request that says nothing is recorded, from a visitor of any class", arguments: Visitor.allCases)
    func visitors(_ visitor: Visitor) {
        let policy = RecordingPolicy(honorsGPC: true, expires: .noon + 1, consentEnded: false, isFull: false)
        #expect(policy.verdict(signals: RequestSignals(agent: AgentMeaning(visitor)), at: .noon) == .record)
    }

    @Test("an objection counts while another node may have acknowledged that it is honoured, whatever is remembered")
    func objectionsWhileStale() throws {
        let (start, passed) = (ContinuousClock.now, Note(Duration.zero))
        let table = RecordingRulesTable(known: KnownUntil(isShared: true) { start + passed.value })
        let message = LinkedMessage(try .sample(), rules: table.rules(of: try .acme()))
        let objection = RequestSignals(hasGlobalPrivacyControl: true)
        func verdict(_ signals: RequestSignals, after milliseconds: Int) throws -> RecordingPolicy.Verdict {
            passed.value = .milliseconds(milliseconds)
            // The service's clock says nothing: it may run at half pace.
            return try message.recordingPolicy(for: .sample(1), of: .clicks, expires: .noon + 9000, at: .noon)
                .verdict(signals: signals, at: .noon)
        }
        table.privacyControlChanged(isHonored: false, in: try .acme())
        #expect(try verdict(objection, after: 0) == .skip(.privacyControl), "the rules were never known")
        #expect(try verdict(RequestSignals(), after: 0) == .record)
        table.known.extend(to: start + .seconds(1))
        #expect(try verdict(objection, after: 999) == .record)
        #expect(try verdict(objection, after: 1000) == .skip(.privacyControl))
        table.known.extend(to: start + .milliseconds(500))
        #expect(try verdict(objection, after: 999) == .record, "a later answer takes nothing back")
        table.privacyControlChanged(isHonored: true, in: try .acme())
        #expect(try verdict(objection, after: 999) == .skip(.privacyControl))
    }

    @Test("a message's policy is made of its organization's rules and its recipient's consent, as of now")
    func ofMessage() throws {
        let table = RecordingRulesTable()
        table.recordingReloaded([:], enforcement: .restrictive, in: try .acme())
        let rules = table.rules(of: try .acme())
        let message = LinkedMessage(try .sample(), rules: rules)
        let (recipient, other) = (try RecipientReference.sample(1), try RecipientReference.sample(2))
        func policy(_ recipient: RecipientReference) -> RecordingPolicy {
            message.recordingPolicy(for: recipient, of: .clicks, expires: .noon + 1, at: .noon)
        }
        let objection = RequestSignals(hasGlobalPrivacyControl: true)
        #expect(policy(recipient).verdict(at: .noon) == .record)
        #expect(policy(recipient).verdict(signals: objection, at: .noon) == .skip(.privacyControl))
        rules.honorsGPC = false
        #expect(policy(recipient).verdict(signals: objection, at: .noon) == .record)
        rules.revocations(for: .tracking).set(recipient, end: .noon)
        #expect(policy(recipient).verdict(at: .noon) == .skip(.consentEnded))
        #expect(policy(other).verdict(at: .noon) == .record)
        rules.isFull = true
        #expect(policy(other).verdict(at: .noon) == .skip(.quota))
    }
}
