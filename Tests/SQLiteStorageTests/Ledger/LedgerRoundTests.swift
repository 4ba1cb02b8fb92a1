import Consent
import GRDB
import Identifiers
import Ledger
import Organizations
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What a pass over all ledgers finds; the end-to-end tests have the whole table of changes.
@Suite struct LedgerRoundTests {
    @Test("nothing is found in what the service wrote, whatever was recorded, erased and kept no longer")
    func untouched() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            #expect(try await findings(fixture).isEmpty)
            let reopened = try fixture.reopened()
            #expect(try await findings(reopened).isEmpty)
            try reopened.storage.close()
        }
    }

    @Test(
        "what is changed while the service runs is found, and closes its own ledger alone",
        arguments: [
            "UPDATE consents SET organization = 77 WHERE id = (SELECT max(id) FROM consents WHERE organization = 1)",
            "UPDATE decisions SET reason = 5 WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 41)",
            "UPDATE decisions SET reason = 5 WHERE id = (SELECT max(id) FROM decisions)",
            "UPDATE organizations SET enforcement = 2 WHERE number = 1",
            "DELETE FROM ledgers WHERE organization = 1",
            "UPDATE ledgers SET origin = (SELECT origin FROM ledgers WHERE organization = 2) WHERE organization = 1",
            "UPDATE ledgers SET origin = '/acme' WHERE organization = 1",
            "UPDATE ledgers SET origin = 'acme' WHERE organization = 1",
            "UPDATE people SET is_respelled = 1 WHERE recipient = (SELECT min(number) FROM recipients)",
            "UPDATE message_names SET name = CAST('autumn' AS BLOB)",
            "DELETE FROM message_names",
            "UPDATE message_names SET tracks_opens = 1",
            "INSERT INTO message_tags SELECT 1, CAST('vip' AS BLOB), min(id) FROM messages",
            "DELETE FROM ledger_tiles WHERE level = 0 AND tile = 1",
            "UPDATE ledger_runs SET first_leaf = first_leaf + 1 WHERE first_leaf = (SELECT max(first_leaf) FROM ledger_runs)",
            """
            INSERT INTO consents SELECT (SELECT max(id) + 1000 FROM consents), organization, recipient, purpose, 1, 0,
                occurred_at, recorded_at, NULL, NULL, randomblob(16)
            FROM consents WHERE organization = 1 ORDER BY id DESC LIMIT 1
            """,
        ])
    func changed(_ statement: String) async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            try await fixture.ports.record(.given, for: .bo, in: fixture.ports.globex)
            try await fixture.storage.database.write { try $0.db.execute(sql: statement) }
            let found = try await findings(fixture)
            #expect(found.map(\.organization) == [fixture.ports.acme])
            #expect(fixture.storage.stores.ledgers.inconsistencies == found)
            await #expect(throws: LedgerInconsistency.self) { try await fixture.ports.record(.withdrawn, for: .ana) }
            try await fixture.ports.record(.withdrawn, for: .bo, in: fixture.ports.globex)
        }
    }

    @Test("one step checks several small organizations, and continues behind the one in which it found something")
    func severalOrganizations() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try await fixture.ports.record(.given, for: .bo, in: fixture.ports.globex)
            let ledgers = fixture.storage.stores.ledgers
            let consents = LedgerCheckPosition(phase: .consents, organization: 0, next: 0)
            let step = try await ledgers.check(from: consents)
            #expect(step.next == consents.afterPhase)
            #expect(step.entries == 2)
            try await fixture.storage.database.write { try $0.db.execute(sql: "UPDATE consents SET state = 2") }
            let first = try await ledgers.check(from: consents)
            #expect(first.finding?.organization == fixture.ports.acme)
            #expect(first.next == LedgerCheckPosition(phase: .consents, organization: 2, next: 0))
            #expect(first.entries == 1)
            let second = try await ledgers.check(from: consents)
            #expect(second.finding?.organization == fixture.ports.globex, "the first one is closed")
            #expect(second.next == LedgerCheckPosition(phase: .consents, organization: 3, next: 0))
        }
    }

    @Test("a step ends within an organization with many entries, and the next one begins there")
    func largeOrganization() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let people = try (0..<2_000).map { try RecipientID("person\($0)") }
            try await fixture.ports.decide(people.map { ($0, .noConsentRecord) }, of: message)
            try await fixture.ports.record(.given, for: .bo, in: fixture.ports.globex)
            var position = LedgerCheckPosition(phase: .decisions, organization: 0, next: 0)
            var entries = 0
            while position.phase == .decisions {
                let step = try await fixture.storage.stores.ledgers.check(from: position)
                #expect(step.finding == nil)
                #expect(step.entries < 2_000)
                entries += step.entries
                position = try #require(step.next)
            }
            #expect(entries == 2_000)
        }
    }

    @Test(
        "a ledger whose row is gone takes nothing, begins no second time, and has no name under which it is signed",
        arguments: ["", "DELETE FROM ledger_runs WHERE organization = 1; DELETE FROM ledger_tiles;"])
    func withoutRow(_ statement: String) async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try await fixture.ports.record(.given, for: .bo, in: fixture.ports.globex)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "DELETE FROM ledgers WHERE organization = 1; \(statement)")
            }
            let reopened = try fixture.reopened()
            let ports = reopened.ports
            let reason = LedgerInconsistency(ports.acme, .derived(.ledger))
            #expect(try await Set(ports.ledgers.begin(at: .noon)) == [ports.acme, ports.globex])
            #expect(reopened.storage.stores.ledgers.inconsistencies == [reason])
            await #expect(throws: reason) { try await ports.record(.withdrawn, for: .ana) }
            await #expect(throws: reason) { try await ports.ledgers.origin(of: ports.acme) }
            try await ports.record(.withdrawn, for: .bo, in: ports.globex)
            try reopened.storage.close()
        }
    }

    @Test("nothing is entered into a ledger without a row, by the writer or by the check")
    func appendingWithoutRow() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "DELETE FROM ledgers WHERE organization = 1")
            }
            let reopened = try fixture.reopened()
            let reason = LedgerInconsistency(reopened.ports.acme, .derived(.ledger))
            await #expect(throws: reason) { try await reopened.ports.record(.withdrawn, for: .ana) }
            #expect(reopened.storage.stores.ledgers.inconsistencies == [reason])
            try reopened.storage.close()
        }
    }

    @Test("a consent record of the same instant that ends tracking counts, whatever ends_tracking says of it")
    func sameInstant() async throws {
        try await withSQLite { fixture in
            let withdrawn = try await fixture.ports.record(.withdrawn, for: .ana, occurredAt: .noon)
            try await fixture.ports.record(.given, for: .ana, occurredAt: .noon)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE consents SET ends_tracking = 0")
            }
            #expect(try await fixture.ports.status(of: .ana) == .inForce(withdrawn.inForce))
        }
    }

    @Test("somebody whose record cannot be read is not recorded, and nobody else is held up")
    func unreadable() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            try await fixture.ports.record(.given, for: .ana)
            try await fixture.ports.record(.given, for: .bo)
            let ana = try await fixture.ports.reference(of: .ana, message: message)
            let bo = try await fixture.ports.reference(of: .bo, message: message)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE consents SET state = 99 WHERE id = (SELECT min(id) FROM consents)")
            }
            #expect(try await fixture.ports.status(of: ana) == .erased)
            guard case .inForce = try await fixture.ports.status(of: bo) else {
                Issue.record("bo is held up")
                return
            }
            #expect(fixture.storage.stores.ledgers.inconsistencies.count == 1)
            let reopened = try fixture.reopened()
            _ = try await reopened.storage.stores.rules.snapshot()
            #expect(reopened.storage.stores.ledgers.inconsistencies.map(\.organization) == [fixture.ports.acme])
            try reopened.storage.close()
        }
    }

    @Test("what was erased after an export began opens for the export as it did at its checkpoint, and for nobody else")
    func erasedOpenings() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let record = try await ports.record(.given, for: .ana)
            let before = try #require(try await ports.ledgers.entry(of: record.id, in: ports.acme))
            let size = try #require(try await ports.ledgers.head(of: ports.acme)).head.size
            let erased = try await ports.ledgers.keepErased(of: ports.acme)
            #expect(erased.areOfAllNodes, "the folder belongs to one process")
            _ = try await ports.consents.erase(.ana, in: ports.acme)
            let after = try #require(try await ports.ledgers.entry(of: record.id, in: ports.acme))
            #expect(after.opening == nil)
            #expect(erased.restored(after, at: size) == before)
            // An export whose checkpoint has the erasure says nothing of her.
            #expect(erased.restored(after, at: size + 1) == after)
            let later = try await ports.ledgers.keepErased(of: ports.acme)
            #expect(later.restored(after, at: size) == after)
        }
    }

    private func fill(_ fixture: SQLiteFixture) async throws {
        let ports = fixture.ports
        let message = try await ports.message()
        let people = try (0..<1400).map { try RecipientID("person\($0)") }
        try await ports.decide(people.map { ($0, .noConsentRecord) }, of: message)
        for person in people.prefix(60) {
            try await ports.record(.given, for: person, evidence: ConsentEvidence(method: "form"))
            try await ports.decide([(person, .consentGiven)], of: message)
        }
        _ = try await ports.organizations.change(
            ports.acme, by: OrganizationChange(enforcement: .nonRestrictive), at: .noon + 5)
        try await ports.decide([(.bo, .notOptedOut)], of: message)
        _ = try await ports.organizations.change(
            ports.acme, by: OrganizationChange(enforcement: .restrictive), at: .noon + 9)
        _ = try await ports.consents.erase(people[3], in: ports.acme)
        _ = try await ports.consents.erase(.ana, in: ports.acme)
        try await ports.record(.given, for: people[3])
    }
}

/// Everything that one pass over all ledgers finds.
func findings(_ fixture: SQLiteFixture) async throws -> [LedgerInconsistency] {
    var found: [LedgerInconsistency] = []
    var position: LedgerCheckPosition? = .start
    while let next = position {
        let step = try await fixture.storage.stores.ledgers.check(from: next)
        if let finding = step.finding { found.append(finding) }
        position = step.next
    }
    return found
}
