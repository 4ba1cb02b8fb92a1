import Consent
import Cryptography
import GRDB
import Identifiers
import Ledger
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// A ledger that is not what was signed is found out, and takes nothing more.
@Suite struct LedgerCheckTests {
    @Test(
        "what is missing, changed or exchanged is named",
        arguments: [
            ("DELETE FROM ledger_runs WHERE organization = 1 AND first_leaf > 0", .missing(1...700)),
            (
                "UPDATE decisions SET reason = 5 WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 41)",
                nil
            ),
            (
                "UPDATE decisions SET reason = 5 WHERE id = (SELECT max(id) FROM decisions)", .anotherTree(512...700)
            ),
            ("DELETE FROM decisions WHERE id = (SELECT max(id) FROM decisions)", .anotherTree(512...700)),
            ("UPDATE ledger_tiles SET hashes = zeroblob(8192) WHERE tile = 1", .changed(256)),
            ("DELETE FROM ledger_tiles WHERE tile = 0", .hashes(0...255)),
        ] as [(String, LedgerInconsistency.Finding?)])
    func departed(_ statement: String, _ finding: LedgerInconsistency.Finding?) async throws {
        try await withSQLite { fixture in
            try await decide(700, fixture)
            let signed = try await head(fixture)
            try fixture.storage.close()
            try tamper(statement, fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            let found = try await reopened.storage.stores.ledgers.check(ports.acme, against: signed)
            // A row within a whole tile is not read at the start: every proof of it fails.
            #expect(found?.finding == finding)
            if let found {
                #expect(reopened.storage.stores.ledgers.inconsistencies == [found])
                await #expect(throws: found) { try await ports.record(.withdrawn, for: .ana) }
                await #expect(throws: found) { _ = try await ports.consents.erase(.ana, in: ports.acme) }
                await #expect(throws: found) {
                    try await decide(1, reopened)
                }
            }
            // Others are not concerned.
            try await ports.record(.withdrawn, for: .ana, in: ports.globex)
            try reopened.storage.close()
        }
    }

    @Test(
        "of the last entries, which no whole tile has, the changed one is named by the hashes kept with the checkpoint",
        arguments: [
            ("UPDATE decisions SET reason = 5 WHERE id = (SELECT max(id) FROM decisions)", .changed(700)),
            ("DELETE FROM decisions WHERE id = (SELECT max(id) FROM decisions)", .changed(700)),
            (
                "UPDATE decisions SET reason = 5 WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 600)",
                .changed(601)
            ),
            // Hashes that do not have the signed root are of no use.
            (
                """
                UPDATE decisions SET reason = 5 WHERE id = (SELECT max(id) FROM decisions);
                UPDATE ledger_last_hashes SET hashes = zeroblob(length(hashes))
                """, .anotherTree(512...700)
            ),
        ] as [(String, LedgerInconsistency.Finding)])
    func last(_ statement: String, _ finding: LedgerInconsistency.Finding) async throws {
        try await withSQLite { fixture in
            let acme = fixture.ports.acme
            try await decide(700, fixture)
            let seed = SecretBytes([UInt8](repeating: 1, count: 32))
            let signed = try SignerKey(name: KeyName("links.example/acme"), seed: seed).sign(try await head(fixture))
            let note = String(decoding: signed.bytes, as: UTF8.self)
            try await fixture.storage.stores.ledgers.keep(checkpoint: note, of: acme, after: nil)
            try fixture.storage.close()
            try tamper(statement, fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            let found = try await reopened.storage.stores.ledgers.check(acme, against: signed.head)
            #expect(found?.finding == finding)
            try reopened.storage.close()
        }
    }

    @Test("rows that were changed together with their tiles do not have the root that was signed")
    func exchanged() async throws {
        try await withSQLite { fixture in
            try await decide(700, fixture)
            let signed = try await head(fixture)
            try fixture.storage.close()
            try tamper(
                "UPDATE decisions SET reason = 5 WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 41)",
                fixture)
            // As an attacker who changes a row would make its tile agree with it.
            let forger = try SQLiteFixture(fixture.folder)
            let entries = try await forger.ports.ledgers.entries(from: 0, count: 256, in: forger.ports.acme)
            var hasher = TreeHasher()
            var hashes: [TreeHash] = []
            for entry in entries { hashes.append(hasher.leaf(entry.entry)) }
            let tile = Tile(TileID(level: 0, index: 0), hashes)
            try await forger.storage.database.write { [bytes = tile.bytes] writing in
                try writing.db.statement("UPDATE ledger_tiles SET hashes = ? WHERE level = 0 AND tile = 0").run(bytes)
            }
            let reopened = try forger.reopened()
            let found = try await reopened.storage.stores.ledgers.check(fixture.ports.acme, against: signed)
            #expect(found?.finding == .anotherTree(512...700))
            try reopened.storage.close()
        }
    }

    @Test("a row within a whole tile is named when the ledger is looked through")
    func named() async throws {
        try await withSQLite { fixture in
            try await decide(700, fixture)
            let signed = try await head(fixture)
            let wrong = TreeHead(size: signed.size - 1, root: signed.root)
            try await fixture.storage.database.write { writing in
                try writing.db.execute(
                    sql: """
                        UPDATE decisions SET reason = 5
                        WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 41)
                        """)
            }
            let found = try await fixture.storage.stores.ledgers.check(fixture.ports.acme, against: wrong)
            #expect(found?.finding == .changed(42))
        }
    }

    @Test("a row that cannot be read is named with its entry")
    func unreadable() async throws {
        try await withSQLite { fixture in
            try await decide(700, fixture)
            let signed = try await head(fixture)
            try fixture.storage.close()
            try tamper("UPDATE decisions SET reason = 99 WHERE id = (SELECT max(id) FROM decisions)", fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            let found = try #require(
                try await reopened.storage.stores.ledgers.check(fixture.ports.acme, against: signed))
            guard case .row(let row, entry: 700, .unreadable) = found.finding else {
                Issue.record("\(found)")
                return
            }
            #expect(row.kind == .decision)
            await #expect(throws: found) {
                _ = try await reopened.ports.decisions.decisions(
                    matching: DecisionQuery(), limit: 10, in: fixture.ports.acme)
            }
            try reopened.storage.close()
        }
    }

    @Test("a copy of the folder is told from the folder itself")
    func copy() async throws {
        try await withSQLite { fixture in
            #expect(!fixture.storage.isCopy)
            let reopened = try fixture.reopened()
            #expect(!reopened.storage.isCopy)
            let copied = try SQLiteFixture(reopened.folder.copyAsIfKilled())
            defer { copied.folder.remove() }
            #expect(copied.storage.isCopy)
            let again = try copied.reopened()
            #expect(!again.storage.isCopy)
            try again.storage.close()
            try reopened.storage.close()
        }
    }

    private func decide(_ count: Int, _ fixture: SQLiteFixture) async throws {
        let message = try await fixture.ports.message()
        let people = try (0..<count).map { try RecipientID("person\($0)") }
        try await fixture.ports.decide(people.map { ($0, .noConsentRecord) }, of: message)
    }

    private func head(_ fixture: SQLiteFixture) async throws -> TreeHead {
        try #require(try await fixture.storage.stores.ledgers.head(of: fixture.ports.acme)).head
    }

    private func tamper(_ statement: String, _ fixture: SQLiteFixture) throws {
        let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
        try file.write { try $0.execute(sql: statement) }
        try file.close()
    }
}
