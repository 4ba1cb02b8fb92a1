import Consent
import Identifiers
import Ledger
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage

extension StorageUnderTest {
    /// What a check of the ledgers finds, from a position to its end.
    func findings(from start: LedgerCheckPosition = .start) async throws -> [LedgerInconsistency] {
        var findings: [LedgerInconsistency] = []
        var position: LedgerCheckPosition? = start
        while let next = position {
            let step = try await ledgers.check(from: next)
            if let finding = step.finding { findings.append(finding) }
            position = step.next
        }
        return findings
    }
}

/// A closed storage with consents of two recipients, in which a column gives up a value that it must have.
struct DamagedStorage {
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

    var unreadableMessage: LedgerInconsistency.Finding {
        .derived(.message(String(message.rawValue, radix: 16), .unreadable))
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
        case .reference:
            let row = try #require(try query("SELECT \(row(of: ana))"))
            try clear("reference", of: "recipients", where: "number = \(row)")
            return .derived(.recipient(row))
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
            return unreadableMessage
        case .messageTime:
            try clear("created_at", of: "messages", where: "id = \(message.rawValue)")
            return unreadableMessage
        case .messageState:
            try clear("is_disabled", of: "messages", where: "id = \(message.rawValue)")
            return unreadableMessage
        }
    }
}
