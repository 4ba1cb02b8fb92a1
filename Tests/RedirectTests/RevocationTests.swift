import Consent
import Identifiers
import TestSupport
import Testing

@testable import Redirect

@Suite struct RevocationListTests {
    @Test("a new list has no recipient")
    func empty() throws {
        #expect(try !RevocationList().contains(.sample(), at: .distantFuture))
    }

    @Test("whose consent has ended is on it at any time")
    func ended() throws {
        let list = RevocationList()
        list.set(try .sample(), end: .distantPast)
        for instant in [Timestamp.distantPast, .noon, .distantFuture] {
            #expect(try list.contains(.sample(), at: instant))
            #expect(try !list.contains(.sample(8), at: instant))
        }
    }

    @Test("whose consent ends is on it from that very moment")
    func ending() throws {
        let list = RevocationList()
        list.set(try .sample(), end: .noon)
        #expect(try !list.contains(.sample(), at: .noon + -1))
        #expect(try list.contains(.sample(), at: .noon))
        #expect(try list.contains(.sample(), at: .noon + 1))
    }

    @Test("the last word counts", arguments: ends, ends)
    func lastWord(_ first: Int64?, _ last: Int64?) throws {
        let list = RevocationList()
        let (one, other) = (
            first.map { Timestamp(millisecondsSince1970: $0) }, last.map { Timestamp(millisecondsSince1970: $0) }
        )
        list.set(try .sample(), end: one)
        list.set(try .sample(), end: other)
        for instant in [Timestamp.distantPast, Timestamp.noon + -1, .noon, .noon + 1] {
            #expect(try list.contains(.sample(), at: instant) == (other.map { $0 <= instant } ?? false))
        }
    }

    static let ends = [nil, Int64.min, Timestamp.noon.millisecondsSince1970, Timestamp.noon.millisecondsSince1970 + 1]

    @Test("a new content takes the place of all there was")
    func replace() throws {
        let list = RevocationList()
        for number in 1...200 as ClosedRange<UInt64> { list.set(try .sample(number), end: .distantPast) }
        try list.replace(
            with: (150...300).map { RecordingEnd(reference: try .sample($0), end: $0 < 250 ? .distantPast : .noon) })
        for number in 1...301 as ClosedRange<UInt64> {
            let isOn = try list.contains(.sample(number), at: .noon + -1)
            #expect(isOn == (150..<250).contains(number), "\(number)")
            #expect(try list.contains(.sample(number), at: .noon) == (150...300).contains(number))
        }
    }

    @Test("references that share their low bits are kept apart")
    func collisions() throws {
        let list = RevocationList()
        list.set(try .sample(64), end: .distantPast)
        #expect(try !list.contains(.sample(128), at: .noon))
        #expect(try !list.contains(.sample(64 + 1 << 40), at: .noon))
        #expect(try list.contains(.sample(64), at: .noon))
    }

    @Test("it can be asked and told at once")
    func concurrency() async throws {
        let list = RevocationList()
        await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 as Range<UInt64> {
                group.addTask {
                    for number in 1...2000 as ClosedRange<UInt64> {
                        let reference = try RecipientReference.sample(task << 32 | number)
                        list.set(reference, end: .distantPast)
                        if !list.contains(reference, at: .noon) { Issue.record("forgotten") }
                    }
                }
            }
        }
        #expect(try list.contains(.sample(7 << 32 | 2000), at: .noon))
    }
}

@Suite struct OrganizationGateTests {
    private let table = RecordingRulesTable()

    private func isOn(_ number: UInt64, purpose: Purpose = .tracking, at instant: Timestamp = .noon) throws -> Bool {
        try table.rules(of: .acme()).revocations(for: purpose).contains(.sample(number), at: instant)
    }

    private func change(_ number: UInt64, _ status: ConsentStatus, purpose: Purpose = .tracking) throws {
        let change = ConsentChange(reference: try .sample(number), purpose: purpose, status: status)
        table.consentChanged([change], in: try .acme())
    }

    private func reload(_ enforcement: Enforcement, _ ends: [(UInt64, Timestamp)] = []) throws {
        table.recordingReloaded(
            [.purpose(.tracking): try ends.map { RecordingEnd(reference: try .sample($0.0), end: $0.1) }],
            enforcement: enforcement, in: try .acme())
    }

    private func status(_ state: ConsentState, until: Timestamp? = nil) throws -> ConsentStatus {
        .inForce(
            ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: 1)), state: state, occurredAt: .noon + -1000,
                validUntil: until))
    }

    @Test("the rules and their lists stay the same objects, one for each organization and purpose")
    func identity() throws {
        let rules = try table.rules(of: .acme())
        #expect(try table.rules(of: .acme()) === rules)
        #expect(try table.rules(of: OrganizationID("other")) !== rules)
        #expect(rules.revocations(for: .tracking) === rules.revocations(for: .tracking))
        #expect(try rules.revocations(for: .tracking) !== rules.revocations(for: Purpose("mail")))
    }

    @Test("GPC is honoured unless the organization says otherwise")
    func gpc() throws {
        let rules = try table.rules(of: .acme())
        #expect(rules.honorsGPC)
        table.privacyControlChanged(isHonored: false, in: try .acme())
        #expect(try !table.rules(of: .acme()).honorsGPC)
        #expect(try table.rules(of: OrganizationID("other")).honorsGPC)
    }

    @Test("a withdrawal works at once, on a list that somebody holds already", arguments: Enforcement.allCases)
    func withdrawal(_ enforcement: Enforcement) throws {
        try reload(enforcement)
        let list = try table.rules(of: .acme()).revocations(for: .tracking)
        for state in ConsentState.allCases.filter(\.endsTracking) {
            try change(7, status(.given))
            #expect(try !list.contains(.sample(7), at: .noon))
            try change(7, status(state))
            #expect(try list.contains(.sample(7), at: .noon), "\(state)")
        }
    }

    @Test("what follows from a change depends on the enforcement")
    func enforcement() throws {
        try reload(.restrictive)
        try change(1, .nothing)
        try change(2, status(.given, until: .noon))
        #expect(try isOn(1))
        #expect(try isOn(2))
        #expect(try !isOn(2, at: .noon + -1))
        try reload(.nonRestrictive)
        try change(1, .nothing)
        try change(2, status(.given, until: .noon))
        #expect(try !isOn(1))
        #expect(try !isOn(2))
    }

    @Test("one purpose says nothing about another, one organization nothing about another")
    func apart() throws {
        try reload(.restrictive)
        try change(7, status(.withdrawn), purpose: Purpose("mail"))
        #expect(try isOn(7, purpose: Purpose("mail")))
        #expect(try !isOn(7))
        let other = try table.rules(of: OrganizationID("other")).revocations(for: Purpose("mail"))
        #expect(try !other.contains(.sample(7), at: .noon))
    }

    @Test("a reload is all there is to know, for lists in use too")
    func reloaded() throws {
        let list = try table.rules(of: .acme()).revocations(for: .tracking)
        let mail = try table.rules(of: .acme()).revocations(for: Purpose("mail"))
        mail.set(try .sample(3), end: .distantPast)
        try reload(.restrictive, [(1, .distantPast), (2, .noon)])
        #expect(try list.contains(.sample(1), at: .noon))
        #expect(try list.contains(.sample(2), at: .noon))
        #expect(try !list.contains(.sample(2), at: .noon + -1))
        #expect(try !mail.contains(.sample(3), at: .noon), "of whom nothing is said may be recorded")
        try reload(.nonRestrictive, [(2, .distantPast)])
        #expect(try !list.contains(.sample(1), at: .noon))
        #expect(try list.contains(.sample(2), at: .noon + -1))
    }

    @Test("an erased person is on every list, those made later and those reloaded included")
    func erased() throws {
        try reload(.nonRestrictive)
        let before = try table.rules(of: .acme()).revocations(for: .tracking)
        table.recipientErased(try .sample(7), in: try .acme())
        #expect(try before.contains(.sample(7), at: .distantPast))
        #expect(try isOn(7, purpose: Purpose("mail")), "a list that is made later")
        try reload(.restrictive, [(8, .distantPast)])
        #expect(try isOn(7))
        #expect(try isOn(7, purpose: Purpose("mail")))
        #expect(try isOn(8))
        #expect(try !isOn(9))
    }

    @Test("nothing is recorded of an organization that is closed, by lists made later too")
    func closed() throws {
        try reload(.nonRestrictive)
        let before = try table.rules(of: .acme()).revocations(for: .tracking)
        table.rules(of: try .acme()).close()
        #expect(try before.contains(.sample(7), at: .noon))
        #expect(try isOn(7, purpose: Purpose("mail")), "a list that is made later")
        #expect(try table.rules(of: .acme()).refusedOpens.contains(.sample(7), at: .noon))
        try reload(.nonRestrictive)
        #expect(try isOn(7), "it is closed for good")
    }

    @Test("after the history was replaced, the first reload takes no recipient off a list, and the next one does")
    func otherHistory() throws {
        try reload(.restrictive, [(1, .distantPast)])
        table.historyReplaced()
        try reload(.restrictive, [(2, .distantPast)])
        #expect(try isOn(1), "a withdrawal that the other history may have lost")
        #expect(try isOn(2))
        try reload(.restrictive, [(2, .distantPast)])
        #expect(try !isOn(1))
        #expect(try isOn(2))
    }

    @Test("of two ends that two histories tell, the earlier one counts")
    func endOfOtherHistory() throws {
        try reload(.restrictive, [(1, .noon), (2, .noon + 1000)])
        table.historyReplaced()
        try reload(.restrictive, [(1, .noon + 1000), (2, .noon)])
        for number in [1, 2] as [UInt64] {
            #expect(try !isOn(number, at: .noon + -1))
            #expect(try isOn(number, at: .noon))
        }
    }

    @Test("a list made for a purpose that a reload knows has what the reload said")
    func purposeOfReload() throws {
        let end = RecordingEnd(reference: try .sample(7), end: .distantPast)
        table.recordingReloaded(
            [.purpose(try Purpose("mail")): [end]], enforcement: .restrictive, in: try .acme())
        #expect(try isOn(7, purpose: Purpose("mail")))
        #expect(try !isOn(7))
    }
}
