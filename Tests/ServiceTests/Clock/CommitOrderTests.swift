import Consent
import Identifiers
import Ledger
import SQLStorage
import SQLiteStorage
import Testing

@testable import Service

/// Every decision follows from what the ledger has before it: an auditor who recomputes it comes to the same verdict.
@Suite struct CommitOrderTests {
    @Test("decisions beside records, ends of consent and changes of enforcement follow from the entries before them")
    func order() async throws {
        let fixture = try await JudgedFixture(.restrictive)
        defer { fixture.end() }
        let people = try (0..<4).map { try RecipientID("person\($0)@people.example") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var generator = SystemRandomNumberGenerator()
                    for round in 0..<60 {
                        let recipient = people[(worker + round) % people.count]
                        if worker < 5 {
                            try await decide(recipient, fixture)
                        } else if worker < 7 {
                            let state = ConsentState.allCases.randomElement(using: &generator) ?? .given
                            let end = state == .given ? Int64.random(in: 1...20, using: &generator) : nil
                            _ = try await fixture.record(state, for: recipient, validFor: end)
                        } else {
                            try await fixture.set(round.isMultiple(of: 2) ? .nonRestrictive : .restrictive)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let judged = try await recompute(fixture, people)
        #expect(judged == 300)
    }

    /// As a client does that is told to try again: the enforcement changes here without a pause.
    private func decide(_ recipient: RecipientID, _ fixture: JudgedFixture) async throws {
        while true {
            do {
                _ = try await fixture.decide(recipient)
                return
            } catch is StaleSnapshot {}
        }
    }

    /// - Returns: how many decisions there were.
    private func recompute(_ fixture: JudgedFixture, _ people: [RecipientID]) async throws -> Int {
        var enforcement = Enforcement.restrictive
        var records: [RecipientID: [ConsentInForce]] = [:]
        var decisions = 0
        for item in try await fixture.storage.stores.ledgers.entries(from: 0, count: 10_000, in: fixture.organization) {
            switch item.subject {
            case .access: break
            case .event:
                let text = String(decoding: item.entry, as: UTF8.self)
                enforcement = text.contains("\"nonRestrictive\"") ? .nonRestrictive : .restrictive
            case .consent(let id):
                let record = try #require(
                    try await fixture.storage.stores.consents.record(id, in: fixture.organization))
                #expect(record.occurredAt <= record.recordedAt)
                #expect(record.recordedAt == id.number.timestamp)
                records[try recipient(of: item, people), default: []].append(record.inForce)
            case .decision(let id):
                let entry = try #require(
                    try await fixture.storage.stores.decisions.decision(id, in: fixture.organization))
                let about = try recipient(of: item, people)
                let inForce = ConsentInForce.inForce(among: records[about, default: []], at: entry.decidedAt)
                let verdict = ConsentPolicy(enforcement: enforcement)
                    .decide(inForce.map(ConsentStatus.inForce) ?? .nothing, at: entry.decidedAt)
                #expect(ConsentVerdict(reason: entry.reason, basis: entry.consent) == verdict, "leaf \(item.leaf)")
                #expect(entry.enforcement == enforcement)
                decisions += 1
            }
        }
        return decisions
    }

    private func recipient(of item: LedgerItem, _ people: [RecipientID]) throws -> RecipientID {
        let fields = String(decoding: try #require(item.opening).fields, as: UTF8.self)
        return try #require(people.first { fields.contains("\"\($0.text)\"") })
    }
}
