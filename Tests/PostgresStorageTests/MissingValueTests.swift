import Consent
import Identifiers
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

    /// What lacks its value, and what a check of the ledgers finds.
    enum Damage: CaseIterable, Sendable {
        case consent, recipient, mark, formerMark, message
    }

    @Test(
        "a check of the ledgers finds the row whose value is missing, and comes to its end",
        arguments: Damage.allCases)
    func check(_ damage: Damage) async throws {
        let damaged = try await DamagedStorage()
        let found = try await damaged.make(damage)
        let (_, ports) = try damaged.fixture.open()
        var findings: [LedgerInconsistency] = []
        var position: LedgerCheckPosition? = .start
        while let next = position {
            let step = try await ports.ledgers.check(from: next)
            if let finding = step.finding { findings.append(finding) }
            position = step.next
        }
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

/// A closed storage with consents of two recipients, in which a column gives up a value that it must have.
private struct DamagedStorage {
    let fixture: PostgresFixture
    let message: MessageID
    let ana: RecipientReference
    let bo: RecipientReference

    init() async throws {
        fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try await ports.record(.given, for: .bo)
        message = try await ports.message()
        let decided = try await ports.message("decided")
        ana = try await ports.reference(of: .ana, message: decided)
        bo = try await ports.reference(of: .bo, message: decided)
        try fixture.close()
    }

    func number(_ reference: RecipientReference) -> Int64 { Int64(bitPattern: reference.rawValue) }

    /// The number of the recipient's row, as SQL.
    func row(of reference: RecipientReference) -> String {
        "(SELECT number FROM recipients WHERE reference = \(number(reference)))"
    }

    func run(_ script: String) throws {
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        try connection.run(script: script)
    }

    func query(_ sql: String) throws -> Int64? {
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        return try connection.statement(sql).first { $0.integer(0) }
    }

    func clear(_ column: String, of table: String, where condition: String) throws {
        try run(
            """
            ALTER TABLE \(table) ALTER \(column) DROP NOT NULL;
            UPDATE \(table) SET \(column) = NULL WHERE \(condition);
            """)
    }

    /// - Returns: what is found, without the number of an entry.
    func make(_ damage: MissingValueTests.Damage) async throws -> LedgerInconsistency.Finding {
        switch damage {
        case .consent:
            let row = try #require(try query("SELECT id FROM consents WHERE recipient = \(row(of: ana))"))
            try clear("state", of: "consents", where: "id = \(row)")
            return .row(LedgerRowName(.consent, row), entry: nil, .unreadable)
        case .recipient:
            let row = try #require(try query("SELECT id FROM consents WHERE recipient = \(row(of: ana))"))
            try clear("organization", of: "recipients", where: "reference = \(number(ana))")
            return .row(LedgerRowName(.consent, row), entry: nil, .unrelated)
        case .mark:
            let row = try #require(try query("SELECT \(row(of: ana))"))
            try clear("is_erased", of: "people", where: "recipient = \(row)")
            return .derived(.recipient(row))
        case .formerMark:
            let (_, ports) = try fixture.open()
            _ = try await ports.consents.erase(.ana, in: ports.acme)
            try fixture.close()
            try clear("is_erased", of: "people", where: "recipient IS NULL")
            return .derived(.register)
        case .message:
            try clear("organization", of: "messages", where: "id = \(message.rawValue)")
            return .derived(.message(String(message.rawValue, radix: 16), .unreadable))
        }
    }
}
