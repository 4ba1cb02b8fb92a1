import Consent
import Identifiers
import Ledger
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Rows with the greatest and the least numbers that the engine stores. No version of the service makes them.
@Suite struct NumberLimitTests {
    private static let limits: [Int64] = [.max, .max - 1, .min, .min + 1]

    /// Adds a row that is like the first one of acme's, but for these columns.
    private func add(to table: String, _ changed: [String: String], _ fixture: SQLiteFixture) async throws {
        try await fixture.storage.database.write { writing in
            let columns = try writing.db.statement("SELECT name FROM pragma_table_info(?) ORDER BY cid")
                .all(table) { $0.text(0) }
            let values = columns.map { changed[$0] ?? $0 }.joined(separator: ", ")
            try writing.db.execute(
                sql: """
                    INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT \(values) FROM \(table)
                    ORDER BY \(columns[0]) LIMIT 1
                    """)
        }
    }

    private func fill(_ fixture: SQLiteFixture) async throws {
        let message = try await fixture.ports.message()
        try await fixture.ports.record(.given, for: .ana)
        try await fixture.ports.decide([(.ana, .consentGiven), (.bo, .noConsentRecord)], of: message)
        _ = try await fixture.ports.consents.erase(.bo, in: fixture.ports.acme)
    }

    /// What a pass finds that must come to its end.
    private func found(_ fixture: SQLiteFixture) async throws -> [LedgerInconsistency] {
        var found: [LedgerInconsistency] = []
        var (position, steps) = (LedgerCheckPosition?.some(.start), 0)
        while let next = position, steps < 1_000 {
            let step = try await fixture.storage.stores.ledgers.check(from: next)
            if let finding = step.finding { found.append(finding) }
            (position, steps) = (step.next, steps + 1)
        }
        #expect(position == nil)
        return found
    }

    @Test("a consent record or a decision without an entry is found, whatever its number is", arguments: limits)
    func strays(_ number: Int64) async throws {
        for (table, kind) in [("consents", LedgerRowName.Kind.consent), ("decisions", .decision)] {
            try await withSQLite { fixture in
                try await fill(fixture)
                try await add(to: table, ["id": "(\(Self.text(number)))", "salt": "randomblob(16)"], fixture)
                let row = LedgerInconsistency.Finding.row(LedgerRowName(kind, number), entry: nil, .withoutEntry)
                #expect(try await found(fixture) == [LedgerInconsistency(fixture.ports.acme, row)])
            }
        }
    }

    @Test("an event without an entry accounts for no erased record", arguments: limits)
    func events(_ number: Int64) async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            try await fixture.storage.database.write {
                try $0.db.execute(
                    sql: """
                        INSERT INTO ledger_events SELECT \(Self.text(number)), organization,
                            CAST(replace(CAST(entry AS TEXT), '"consents":0', '"consents":1') AS BLOB)
                        FROM ledger_events WHERE instr(entry, CAST('"type":"erasure"' AS BLOB)) > 0;
                        UPDATE consents SET recipient = NULL, evidence = NULL, salt = NULL;
                        INSERT INTO kept_commitments SELECT 2, id, randomblob(32) FROM consents;
                        """)
            }
            let reason = LedgerInconsistency.Finding.derived(.erasures(found: 1, entered: 0))
            #expect(try await found(fixture) == [LedgerInconsistency(fixture.ports.acme, reason)])
        }
    }

    @Test(
        "a pass comes to its end behind every row",
        arguments: [
            ("ledger_events", ["number": ""]), ("messages", ["id": "", "digest": "randomblob(32)"]),
            ("recipients", ["number": "", "reference": "5", "identifier": "'zz@people.example'"]),
        ])
    func ends(_ table: String, _ columns: [String: String]) async throws {
        for number in Self.limits {
            try await withSQLite { fixture in
                try await fill(fixture)
                let changed = columns.mapValues { $0.isEmpty ? "(\(Self.text(number)))" : $0 }
                try await add(to: table, changed, fixture)
                // A recipient or a message with a number below zero is not one that the service finds.
                let isFound = number > 0 || table == "ledger_events"
                #expect(try await found(fixture).map(\.organization) == (isFound ? [fixture.ports.acme] : []))
            }
        }
    }

    @Test("an organization with the greatest number is checked, and one without a number is named", arguments: limits)
    func organizations(_ number: Int64) async throws {
        try await withSQLite { fixture in
            let changed = ["number": "(\(Self.text(number)))", "id": "'zz'"]
            try await add(to: "organizations", changed, fixture)
            if number > 0 {
                #expect(try await found(fixture).map(\.organization) == [OrganizationID("zz")])
            } else {
                await #expect(throws: RowError.unreadableOrganization(number)) {
                    try await fixture.ports.ledgers.begin(at: .noon)
                }
            }
        }
    }

    @Test("an organization whose id is none is named by its row")
    func foreignID() async throws {
        try await withSQLite { fixture in
            try await add(to: "organizations", ["number": "77", "id": "'Z Z'"], fixture)
            await #expect(throws: RowError.unreadableOrganization(77)) {
                try await fixture.ports.ledgers.begin(at: .noon)
            }
            #expect("\(RowError.unreadableOrganization(77))".contains("row 77 of organizations"))
        }
    }

    @Test("a run and a position at the limits end no pass", arguments: limits)
    func positions(_ number: Int64) async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            for phase in LedgerCheckPosition.Phase.allCases {
                for organization in [number, 1] {
                    await #expect(throws: Never.self, "\(phase) of \(organization)") {
                        try await fixture.storage.stores.ledgers.check(
                            from: LedgerCheckPosition(phase: phase, organization: organization, next: number))
                    }
                }
            }
            try await fixture.storage.database.write {
                try $0.db.execute(
                    sql: "INSERT INTO ledger_runs VALUES (1, \(Self.text(number)), 1, 1, \(Self.text(number)), 5)")
            }
            let reopened = try fixture.reopened()
            _ = try await reopened.storage.stores.ledgers.entryCount()
            _ = try await found(reopened)
            try reopened.storage.close()
        }
    }

    /// The least number has no literal in SQL.
    private static func text(_ number: Int64) -> String {
        number == .min ? "-9223372036854775807 - 1" : "\(number)"
    }
}
