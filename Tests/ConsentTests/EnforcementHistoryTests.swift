import Consent
import Identifiers
import TestSupport
import Testing

@Suite struct EnforcementHistoryTests {
    private func enforcement(_ changes: [EnforcementHistory.Change], at instant: Timestamp) throws -> Enforcement {
        try #require(EnforcementHistory(changes)).policy(at: instant).enforcement
    }

    @Test("an organization that was never made has no history")
    func empty() {
        #expect(EnforcementHistory([]) == nil)
    }

    @Test(
        "what was chosen at the beginning applies at any time, were it before the beginning",
        arguments: Enforcement.allCases)
    func first(_ first: Enforcement) throws {
        for instant in [Timestamp.distantPast, .noon + -1, .noon, .noon + 1, .distantFuture] {
            #expect(try enforcement([.init(first, since: .noon)], at: instant) == first)
        }
    }

    @Test("a change takes back nothing of before, and in its own millisecond what was before still applies")
    func change() throws {
        let changes: [EnforcementHistory.Change] = [
            .init(.nonRestrictive, since: .noon), .init(.restrictive, since: .noon + 10),
            .init(.nonRestrictive, since: .noon + 20),
        ]
        #expect(try enforcement(changes, at: .noon + 10) == .nonRestrictive)
        #expect(try enforcement(changes, at: .noon + 11) == .restrictive)
        #expect(try enforcement(changes, at: .noon + 20) == .restrictive)
        #expect(try enforcement(changes, at: .noon + 21) == .nonRestrictive)
    }

    @Test("of two changes in one millisecond the later applies after it")
    func sameMillisecond() throws {
        let changes: [EnforcementHistory.Change] = [
            .init(.nonRestrictive, since: .noon), .init(.restrictive, since: .noon + 10),
            .init(.nonRestrictive, since: .noon + 10),
        ]
        #expect(try enforcement(changes, at: .noon + 11) == .nonRestrictive)
    }
}
