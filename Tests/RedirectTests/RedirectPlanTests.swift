import Identifiers
import Interactions
import TestSupport
import Testing

@testable import Redirect

@Suite struct RedirectPlanTests {
    private func plan(
        isHead: Bool = false, disabled: Bool = false, prefetch: Bool = false, objects: Bool = false,
        honored: Bool = true, expires: Int64 = 1, ended: Bool = false, full: Bool = false,
        visitor: Visitor = .browserAgent
    ) -> RedirectPlan {
        RedirectPlan(
            isHead: isHead,
            RequestSignals(isPrefetch: prefetch, hasGlobalPrivacyControl: objects, agent: AgentMeaning(visitor)),
            isDisabled: disabled,
            policy: RecordingPolicy(
                honorsGPC: honored, expires: .noon + expires, consentEnded: ended, isFull: full),
            now: .noon)
    }

    @Test("an ordinary click is recorded, by a visitor of any class", arguments: Visitor.allCases)
    func ordinary(_ visitor: Visitor) {
        #expect(plan(visitor: visitor) == .redirect(.record))
    }

    @Test("each reason not to record, by itself")
    func reasons() {
        #expect(plan(isHead: true) == .redirect(.skip(.head)))
        #expect(plan(prefetch: true) == .redirect(.skip(.prefetch)))
        #expect(plan(objects: true) == .redirect(.skip(.privacyControl)))
        #expect(plan(objects: true, honored: false) == .redirect(.record))
        #expect(plan(honored: false) == .redirect(.record))
        #expect(plan(ended: true) == .redirect(.skip(.consentEnded)))
        #expect(plan(full: true) == .redirect(.skip(.quota)))
    }

    @Test("a link's lifetime ends with the moment it names")
    func lifetime() {
        #expect(plan(expires: 1) == .redirect(.record))
        #expect(plan(expires: 0) == .redirect(.skip(.expired)))
        #expect(plan(expires: -1) == .redirect(.skip(.expired)))
    }

    @Test("the lines of the table, in their order, for every combination")
    func table() {
        for isHead in [false, true] {
            for bits in 0..<128 {
                let (disabled, prefetch, objects) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
                let (honored, expired, ended) = (bits & 8 != 0, bits & 16 != 0, bits & 32 != 0)
                let full = bits & 64 != 0
                let expected: RedirectPlan =
                    if disabled {
                        .refuse(.gone)
                    } else if isHead {
                        .redirect(.skip(.head))
                    } else if prefetch {
                        .redirect(.skip(.prefetch))
                    } else if objects && honored {
                        .redirect(.skip(.privacyControl))
                    } else if expired {
                        .redirect(.skip(.expired))
                    } else if ended {
                        .redirect(.skip(.consentEnded))
                    } else if full {
                        .redirect(.skip(.quota))
                    } else {
                        .redirect(.record)
                    }
                let made = plan(
                    isHead: isHead, disabled: disabled, prefetch: prefetch, objects: objects, honored: honored,
                    expires: expired ? 0 : 1, ended: ended, full: full)
                #expect(made == expected, "\(isHead) \(bits)")
            }
        }
    }

    @Test("a switched off link records nothing, and nothing but a plain GET is ever recorded")
    func neverRecorded() {
        let recorded = (0..<64).filter { bits in
            plan(
                disabled: bits & 1 != 0, prefetch: bits & 2 != 0, objects: bits & 4 != 0, honored: bits & 8 != 0,
                expires: bits & 16 != 0 ? 0 : 1, ended: bits & 32 != 0) == .redirect(.record)
        }
        // Only whether an objection is honoured may differ, and an objection where it is not.
        #expect(recorded == [0, 4, 8])
    }
}
