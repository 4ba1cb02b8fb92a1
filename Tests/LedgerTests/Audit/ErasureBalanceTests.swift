import TestSupport
import Testing

@testable import Ledger

@Suite("Entries without private fields, and the erasures that took them")
struct ErasureBalanceTests {
    private let place = EntryLocation(index: 9, name: "erasure")

    @Test("balance where as many were closed before as each erasure says")
    func balanced() throws {
        var balance = ErasureBalance()
        balance.closeDecision()
        balance.closeDecision()
        balance.closeConsent()
        balance.explain(decisions: 1, consents: 1, by: place)
        balance.closeDecision()
        balance.explain(decisions: 2, consents: 0, by: place)
        try balance.requireExplanations()
    }

    @Test("what is closed after the last erasure is unexplained, though an earlier one says of more")
    func late() {
        var balance = ErasureBalance()
        balance.explain(decisions: 1, consents: 0, by: place)
        balance.closeDecision()
        #expect(throws: AuditFault.lateErasures(1, what: "decisions")) { try balance.requireExplanations() }
    }

    @Test("what is unexplained is described by numbers that differ, or by its place")
    func descriptions() {
        #expect(
            "\(AuditFault.unexplainedErasures(found: 3, recorded: 2, what: "decisions"))"
                == "3 decisions come without their recipient, and the ledger says of 2 that they lost it: "
                + "private fields were taken away")
        #expect(
            "\(AuditFault.lateErasures(1, what: "consent records"))"
                == "1 consent records come without their recipient after the erasures that could explain them, which took "
                + "it from earlier entries alone: private fields were taken away there, or put back before")
    }

    @Test("fewer closed than an erasure says were put back, and the first such erasure is named")
    func putBack() {
        var balance = ErasureBalance()
        balance.closeConsent()
        balance.explain(decisions: 0, consents: 2, by: place)
        balance.explain(decisions: 5, consents: 0, by: EntryLocation(index: 10, name: "purge"))
        #expect(throws: AuditFault.restoredFields(place, recorded: 2, what: "consent records")) {
            try balance.requireExplanations()
        }
    }

    @Test("accesses balance by themselves")
    func accesses() throws {
        var balance = ErasureBalance()
        balance.closeAccess()
        balance.explain(decisions: 1, consents: 0, by: place)
        balance.closeDecision()
        #expect(throws: AuditFault.self) { try balance.requireExplanations() }
        var others = ErasureBalance()
        others.closeAccess()
        others.explain(accesses: 1, by: place)
        try others.requireExplanations()
        others.closeAccess()
        #expect(throws: AuditFault.unexplainedErasures(found: 2, recorded: 1, what: "accesses")) {
            try others.requireExplanations()
        }
        others.explain(accesses: 2, by: place)
        #expect(throws: AuditFault.restoredFields(place, recorded: 2, what: "accesses")) {
            try others.requireExplanations()
        }
    }

    @Test("numbers that no ledger has do not overflow")
    func overflow() {
        var balance = ErasureBalance()
        balance.closeDecision()
        balance.explain(decisions: .max, consents: .max, by: place)
        balance.explain(decisions: .max, consents: .max, by: place)
        balance.closeDecision()
        #expect(throws: AuditFault.lateErasures(1, what: "decisions")) { try balance.requireExplanations() }
    }

    /// Goes against a plain count of what each erasure finds open.
    @Test("hold exactly where every erasure finds enough and all is explained in the end", arguments: 0..<200)
    func walk(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var balance = ErasureBalance()
        var (open, isShort) = (0, false)
        for _ in 0..<20 {
            if Bool.random(using: &generator) {
                balance.closeDecision()
                open += 1
            } else {
                let count = Int.random(in: 0...2, using: &generator)
                balance.explain(decisions: UInt64(count), consents: 0, by: place)
                if count > open { isShort = true }
                open = max(0, open - count)
            }
        }
        let holds = (try? balance.requireExplanations()) != nil
        #expect(holds == (open == 0 && !isShort))
    }
}
