import Consent
import Identifiers
import TestSupport
import Testing

@testable import Redirect

@Suite struct RecordingRulesTests {
    @Test("an erased recipient stays erased through every reload", arguments: Enforcement.allCases, [false, true])
    func erased(_ enforcement: Enforcement, _ keepsEnds: Bool) throws {
        let rules = RecordingRules()
        rules.reload([:], enforcement: .restrictive)
        let (erased, other) = (
            try #require(RecipientReference(rawValue: 7)), try #require(RecipientReference(rawValue: 8))
        )
        let list = rules.revocations(for: .tracking)
        rules.erase(erased)
        rules.keepsEnds = keepsEnds
        rules.reload([:], enforcement: enforcement)
        #expect(list.contains(erased, at: .noon))
        #expect(!list.contains(other, at: .noon))
    }
}
