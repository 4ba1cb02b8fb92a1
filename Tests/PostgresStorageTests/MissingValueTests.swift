import Consent
import Identifiers
import Interactions
import Ledger
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing
import Webhooks

@testable import PostgresStorage

/// A row without a value that it must have: the others are read.
@Suite struct MissingValueTests {
    @Test("a recipient of no organization counts as erased, and others who are asked for with them do not")
    func recipient() async throws {
        let damaged = try await DamagedStorage()
        let references = [damaged.ana, damaged.bo]
        try damaged.clear("organization", of: "recipients", where: "reference = \(damaged.number(damaged.ana))")
        let (_, ports) = try damaged.fixture.open()
        let questions = references.map { ReferenceQuestion(reference: $0, purpose: .tracking, instant: .noon) }
        let statuses = try await ports.consents.statuses(of: questions)
        #expect(try await statuses == [.erased, ports.status(of: .bo)])
        #expect(state(statuses[1]) == .given)
        try damaged.fixture.close()
    }

    @Test("a withdrawal is recorded although an older record has no state, alone and with others")
    func withdrawal() async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear("state", of: "consents", where: "recipient = \(damaged.row(of: damaged.ana))")
        let (_, ports) = try damaged.fixture.open()
        let withdrawals = try [RecipientID.ana, .bo].map { recipient in
            try NewConsentRecord(
                recipient: recipient, purpose: .tracking, state: .withdrawn, occurredAt: nil, validUntil: nil,
                evidence: nil, now: .noon + 1)
        }
        _ = try await ports.consents.append(withdrawals, in: ports.acme, at: .noon + 1)
        #expect(state(try await ports.status(of: damaged.ana, at: .noon + 1)) == .withdrawn)
        try await ports.record(.withdrawn, for: .ana, at: .noon + 2)
        #expect(state(try await ports.status(of: damaged.ana, at: .noon + 2)) == .withdrawn)
        try damaged.fixture.close()
    }

    private func state(_ status: ConsentStatus) -> ConsentState? {
        if case .inForce(let record) = status { record.state } else { nil }
    }

    @Test("the counts that are older than their tables are completed without the record that cannot be read")
    func filling() async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear("state", of: "consents", where: "recipient = \(damaged.row(of: damaged.ana))")
        try damaged.run(
            """
            TRUNCATE consent_counts, evidence_word_people;
            INSERT INTO consent_filling VALUES (0, 0, 0);
            INSERT INTO evidence_word_filling VALUES (0, 0);
            """)
        _ = try damaged.fixture.open()
        try damaged.fixture.close()
        let count = try damaged.query("SELECT sum(count)::bigint FROM consent_counts WHERE series = 1")
        #expect(count == 1)
        #expect(try damaged.query("SELECT count(*) FROM evidence_word_filling") == 0)
    }

    @Test("an endpoint that cannot be read is named, and does not affect the others")
    func endpoint() async throws {
        let damaged = try await DamagedStorage()
        var (_, ports) = try damaged.fixture.open()
        var made: [EndpointID] = []
        for path in ["a", "b", "c"] {
            let url = try EndpointURL("https://crm.example/\(path)")
            let new = NewEndpoint(url: url, kinds: [.consentRecorded], includesRecipient: false)
            made.append(
                try #require(try await ports.endpoints.create(new, secret: [1], in: ports.acme, at: .noon)).id)
        }
        try damaged.fixture.close()
        try damaged.clear("attempts", of: "endpoints", where: "id = \(made[0].rawValue)")
        try damaged.clear("organization", of: "endpoints", where: "id = \(made[1].rawValue)")
        (_, ports) = try damaged.fixture.open()
        #expect(try await ports.deliveries.backlog(at: .noon).unreadable == Set(made.prefix(2)))
        #expect(try await ports.deliveries.counts() == [.enabled: 3])
        try damaged.fixture.close()
    }

    @Test(
        "a check of the ledgers names the organization whose row lacks a value",
        arguments: [
            "erasures", "interactions_purged", "decisions_purged", "accesses_purged", "interactions_stored",
        ])
    func organization(_ column: String) async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear(column, of: "organizations", where: "id = 'acme'")
        let (_, ports) = try damaged.fixture.open()
        #expect(try await ports.findings() == [LedgerInconsistency(ports.acme, .derived(.settings))])
        try damaged.fixture.close()
    }

    @Test(
        "a check that goes on behind the settings names the organization, too",
        arguments: ["erasures", "identifiers"], [LedgerCheckPosition.Phase.recipients, .people])
    func organizationLater(_ column: String, _ phase: LedgerCheckPosition.Phase) async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear(column, of: "organizations", where: "id = 'acme'")
        let (_, ports) = try damaged.fixture.open()
        let start = LedgerCheckPosition(phase: phase, organization: 0, next: 0)
        #expect(try await ports.findings(from: start) == [LedgerInconsistency(ports.acme, .derived(.settings))])
        try damaged.fixture.close()
    }

    @Test("a check of the ledgers comes to its end although a run has no end, and names it")
    func run() async throws {
        let damaged = try await DamagedStorage()
        let last = try #require(try damaged.query("SELECT max(first_id) FROM ledger_runs WHERE kind = 2"))
        try damaged.clear("last_id", of: "ledger_runs", where: "kind = 2 AND first_id = \(last)")
        for start in [LedgerCheckPosition.start, LedgerCheckPosition(phase: .strays, organization: 0, next: 0)] {
            let (_, ports) = try damaged.fixture.open()
            let findings = try await ports.findings(from: start)
            if start == .start { #expect(findings.map(\.organization) == [ports.acme]) }
            try damaged.fixture.close()
        }
    }

    @Test(
        "the interactions of all organizations are stored although it is not known how many one of them has deleted",
        arguments: [1, 2])
    func interactions(_ count: UInt64) async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear("interactions_purged", of: "organizations", where: "id = 'acme'")
        let (_, ports) = try damaged.fixture.open()
        let message = try await ports.message("other", in: ports.globex)
        try await ports.record(.given, for: .ana, in: ports.globex)
        let decided = try await ports.decide([(.ana, .consentGiven)], of: message, in: ports.globex)
        let ana = try #require(decided.first?.reference)
        for number in 0..<3 {
            let first = TimeOrderedNumber.lowerBound(at: .noon) + UInt64(number) * 4
            let own = (0..<count).map { SpooledOccurrence.click(first + $0, damaged.message, damaged.ana) }
            let prepared = try await ports.interactions.prepare(
                own + [.click(first + count, message, ana)],
                judgedAsOf: try await ports.consents.newestRecord())
            _ = try await ports.interactions.store(prepared, at: .noon)
            // Alone, it is looked up in another way.
            _ = try await ports.interactions.store([.click(first + count, message, ana)], at: .noon)
        }
        #expect(try await ports.interactions.count(in: ports.acme) == 3 * Int(count))
        #expect(try await ports.interactions.count(in: ports.globex) == 3)
        try damaged.fixture.close()
    }

    @Test("a click of somebody erased on its way names nobody although it is not known how many were deleted")
    func erasedOnItsWay() async throws {
        let damaged = try await DamagedStorage()
        try damaged.clear("interactions_purged", of: "organizations", where: "id = 'acme'")
        let (_, ports) = try damaged.fixture.open()
        let first = TimeOrderedNumber.lowerBound(at: .noon)
        let clicks: [SpooledOccurrence] = [
            .click(first, damaged.message, damaged.ana), .click(first + 1, damaged.message, damaged.bo),
        ]
        let prepared = try await ports.interactions.prepare(
            clicks, judgedAsOf: try await ports.consents.newestRecord())
        _ = try await ports.consents.erase(.ana, in: ports.acme)
        #expect(try await ports.interactions.store(prepared, at: .noon).isEmpty)
        let stored = try await ports.interactions.interactions(
            matching: InteractionQuery(), limit: 9, in: ports.acme)
        #expect(Set(stored.map(\.recipient)) == [nil, try RecipientID.bo])
        #expect(try damaged.query("SELECT count(*) FROM interactions WHERE recipient IS NULL") == 1)
        try damaged.fixture.close()
    }

    /// What lacks its value, and what a check of the ledgers finds.
    enum Damage: CaseIterable, Sendable {
        case consent, recipient, reference, mark, formerMark, message, messageTime, messageState
    }

    @Test(
        "a check of the ledgers finds the row whose value is missing, and comes to its end",
        arguments: Damage.allCases)
    func check(_ damage: Damage) async throws {
        let damaged = try await DamagedStorage()
        let found = try await damaged.make(damage)
        let (_, ports) = try damaged.fixture.open()
        let findings = try await ports.findings()
        #expect(findings.map(\.organization) == [ports.acme])
        let finding = try #require(findings.first?.finding)
        if case .row(let name, _, let fault) = finding {
            #expect(LedgerInconsistency.Finding.row(name, entry: nil, fault) == found)
        } else {
            #expect(finding == found)
        }
        try damaged.fixture.close()
    }
}
