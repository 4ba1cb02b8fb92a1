import Consent
import GRDB
import Identifiers
import Ledger
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Decisions and accesses that were made nameless although nobody was erased.
@Suite struct ChangedClosingTests {
    /// Closes the newest row of a table as an erasure does, and enters nothing.
    private func close(_ kind: LedgerKind, _ fixture: SQLiteFixture) async throws {
        let acme = fixture.ports.acme
        let (table, columns) = kind == .decision ? ("decisions", "consent") : ("accesses", "reason")
        try await fixture.storage.database.write { writing in
            let number = try OrganizationRow.number(of: acme, writing.db)
            let id = try writing.db.statement("SELECT max(id) FROM \(table)").first { $0.integer(0) } ?? 0
            try RetainedCommitments.keep(kind, [id], number, named: acme, writing)
            try writing.db.statement(
                "UPDATE \(table) SET recipient = NULL, salt = NULL, \(columns) = NULL WHERE id = ?"
            ).run(id)
        }
    }

    private func fill(_ fixture: SQLiteFixture) async throws {
        let ports = fixture.ports
        let message = try await ports.message()
        try await ports.decide([(.ana, .noConsentRecord), (.bo, .noConsentRecord)], of: message)
        try await ports.record(.given, for: .ana)
        try await ports.record(.given, for: .bo)
        try await ports.look(AccessorName(key: "17"), at: .consents, "first")
        _ = try await ports.consents.erase(.ana, in: ports.acme)
        try await ports.record(.given, for: .ana)
        try await ports.look(AccessorName(key: "17"), at: .consents, "second")
        try await ports.record(.given, for: .bo, in: ports.globex)
    }

    @Test(
        "more closed rows than the ledger accounts for are found, and close it alone",
        arguments: [
            (LedgerKind.decision, LedgerRowName.Kind.decision), (.access, .access),
        ])
    func changed(_ kind: LedgerKind, _ name: LedgerRowName.Kind) async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            #expect(try await findings(fixture) == [])
            try await close(kind, fixture)
            let found = try await findings(fixture)
            #expect(found.map(\.organization) == [fixture.ports.acme])
            #expect(found.first?.finding == .derived(.closings(name, found: 2, entered: 1)))
        }
    }

    @Test("a process that goes on behind what another one counted finds nothing wrong, and the next pass finds it")
    func restarted() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            try await close(.access, fixture)
            let reopened = try fixture.reopened()
            let counted = LedgerCheckPosition(
                phase: .closings, organization: Int64(LedgerKind.access.rawValue), next: .max)
            let step = try await reopened.storage.stores.ledgers.check(from: counted)
            #expect(step.next == counted.afterPhase && step.finding == nil)
            let found = try await findings(reopened)
            #expect(found.map(\.finding) == [.derived(.closings(.access, found: 2, entered: 1))])
            try reopened.storage.close()
        }
    }

    @Test("rows that are closed while they are counted are accounted for")
    func closedMeanwhile() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            var position: LedgerCheckPosition? = LedgerCheckPosition(phase: .closings, organization: 0, next: 0)
            while let next = position {
                // Before each step somebody is erased.
                _ = try await fixture.ports.consents.erase(.bo, in: fixture.ports.acme)
                try await fixture.ports.record(.given, for: .bo)
                try await fixture.ports.look(AccessorName(key: "17"), at: .consents, "again")
                let step = try await fixture.storage.stores.ledgers.check(from: next)
                #expect(step.finding == nil)
                position = step.next
            }
        }
    }
}
