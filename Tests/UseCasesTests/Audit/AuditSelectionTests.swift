import Consent
import Identifiers
import Interactions
import Ledger
import TestSupport
import Testing

@testable import UseCases

@Suite struct AuditSelectionTests {
    private func selection(
        recipient: String? = nil, message: UInt64? = nil, from: Timestamp? = nil, to: Timestamp? = nil
    ) throws -> AuditSelection {
        AuditSelection(
            recipient: try recipient.map { try RecipientID($0) },
            message: try message.map { MessageID(try Samples.number($0)) }, from: from, to: to)
    }

    @Test("a moment lies within from its first and before its last")
    func instants() throws {
        let end = Timestamp.noon + 1000
        let cases: [(from: Timestamp?, to: Timestamp?, inside: [Bool])] = [
            (nil, nil, [true, true, true, true]), (.noon, nil, [false, true, true, true]),
            (nil, end, [true, true, true, false]), (.noon, end, [false, true, true, false]),
            (.noon, .noon, [false, false, false, false]), (end, .noon, [false, false, false, false]),
        ]
        let instants = [Timestamp.noon + -1, .noon, .noon + 999, end].map(\.rfc3339)
        for (from, to, inside) in cases {
            let selection = try selection(from: from, to: to)
            #expect(instants.map(selection.contains) == inside)
        }
    }

    @Test("filters are named without what they say, and stand in the export as they were asked for")
    func filters() throws {
        #expect(try selection().filterNames == [])
        #expect(try selection().filters.areNone)
        let some = try selection(recipient: "ana@example.com", message: 77, from: .noon, to: .noon + 1)
        #expect(some.filterNames == ["recipient", "message", "from", "to"])
        #expect(some.filters.recipient == "ana@example.com")
        #expect(some.filters.message == MessageID(try Samples.number(77)).description)
        #expect(some.filters.from == Timestamp.noon.rfc3339)
        #expect(some.filters.to == (Timestamp.noon + 1).rfc3339)
        #expect(try selection(message: 77).filterNames == ["message"])
    }

    @Test("decisions and interactions are asked for by the same filters, from where the page before ended")
    func queries() throws {
        let some = try selection(recipient: "ana@example.com", message: 77, from: .noon, to: .noon + 1)
        let last = DecisionID(try Samples.number(5))
        let decisions = some.decisions(after: last)
        #expect(decisions.recipient == (try RecipientID("ana@example.com")))
        #expect(decisions.message == MessageID(try Samples.number(77)))
        #expect((decisions.from, decisions.to, decisions.after) == (.noon, .noon + 1, last))
        #expect(decisions.outcome == nil && decisions.reason == nil)
        let interactions = some.interactions(after: nil)
        #expect(interactions.recipient == decisions.recipient)
        #expect(interactions.message == decisions.message)
        #expect((interactions.from, interactions.to, interactions.after) == (.noon, .noon + 1, nil))
        #expect(interactions.kind == nil)
    }
}
