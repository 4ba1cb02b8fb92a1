import Consent
import Foundation
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

/// The tree is that over the rows whatever happens to a write.
@Suite struct LedgerDurabilityTests {
    private struct Refused: Error {}

    @Test("a write that fails in a group takes its entries with it, and only its own")
    func savepoints() async throws {
        try await withSQLite { fixture in
            let database = fixture.storage.database
            let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let first: Void = database.write { _ in
                started.signal()
                goOn.wait()
            }
            await onAnotherThread { started.wait() }
            // These gather while the first is under way. Every third fails after it has entered something.
            let waiting = (1...40).map { number in
                Task {
                    try await database.write { writing in
                        try enter(number, writing)
                        if number % 3 == 0 { throw Refused() }
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            goOn.signal()
            try await first
            for task in waiting { _ = await task.result }
            #expect(try await fixture.ports.checkTree() == 1 + 27)
            try await fixture.ports.record(.given, for: .ana)
            #expect(try await fixture.ports.checkTree() == 1 + 28)
        }
    }

    @Test("a commit that fails takes the entries of its whole group with it")
    func failedCommit() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            _ = try await fixture.storage.stores.consents.erase(.bo, in: fixture.ports.acme)
            let before = try await fixture.ports.checkTree()
            let disk = try BrokenDisk(.full, path: fixture.folder.path(of: "consentlink.db-wal"))
            await #expect(throws: StorageError.full) { try await fixture.ports.record(.withdrawn, for: .ana) }
            disk.repair()
            #expect(try await fixture.ports.checkTree() == before)
            try await fixture.ports.record(.refused, for: .ana)
            #expect(try await fixture.ports.checkTree() == before + 1)
        }
    }

    @Test(
        "a ledger goes on after a restart where it was, at whatever place of its tiles", arguments: [0, 254, 255, 700])
    func restarts(_ count: Int) async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let people = try (0..<count).map { try RecipientID("person\($0)") }
            if count > 0 { try await fixture.ports.decide(people.map { ($0, .noConsentRecord) }, of: message) }
            let first = try await fixture.ports.ledgers.head(of: fixture.ports.acme)
            let reopened = try fixture.reopened()
            #expect(try await reopened.ports.ledgers.head(of: fixture.ports.acme) == first)
            for number in 0..<3 {
                try await reopened.ports.record(.given, for: RecipientID("late\(number)"))
                try await reopened.ports.checkTree()
            }
            let killed = try SQLiteFixture(reopened.folder.copyAsIfKilled())
            defer { killed.folder.remove() }
            #expect(try await killed.ports.checkTree() == UInt64(count + 4))
            try killed.storage.close()
            try reopened.storage.close()
        }
    }

    @Test("decisions that come one by one share runs, and no run is longer than it may be")
    func runs() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let people = try (0..<2100).map { try RecipientID("person\($0)") }
            try await fixture.ports.decide(people.map { ($0, .noConsentRecord) }, of: message)
            for person in people.prefix(30) {
                try await fixture.ports.decide([(person, .noConsentRecord)], of: message)
            }
            let counts = try fixture.storage.database.readNow { db in
                try db.statement("SELECT count FROM ledger_runs WHERE organization = 1 ORDER BY first_leaf")
                    .all { $0.integer(0) }
            }
            #expect(counts == [1, 1024, 1024, 82])
            try await fixture.ports.checkTree()
        }
    }

    @Test(
        "a row that is changed, exchanged or taken away is not what the tree has",
        arguments: [
            "UPDATE decisions SET reason = 5 WHERE id = (SELECT max(id) FROM decisions)",
            "UPDATE decisions SET salt = zeroblob(16) WHERE id = (SELECT min(id) FROM decisions)",
            "UPDATE decisions SET salt = NULL WHERE id = (SELECT min(id) FROM decisions)",
            "UPDATE decisions SET recipient = 2 WHERE id = (SELECT min(id) FROM decisions)",
            "UPDATE recipients SET identifier = 'somebody' WHERE number = 1",
            "UPDATE purposes SET name = 'offers' WHERE number = 1",
            "DELETE FROM decisions WHERE id = (SELECT min(id) FROM decisions)",
            "UPDATE ledger_events SET entry = CAST('{}' AS BLOB) WHERE organization = 1",
        ])
    func tampering(_ statement: String) async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            try await fixture.ports.decide(
                [(.ana, .noConsentRecord), (.bo, .noConsentRecord), (.ana, .consentExpired)], of: message)
            try await fixture.ports.checkTree()
            let before = try await fixture.ports.entries()
            try await fixture.storage.database.write { try $0.db.execute(sql: statement) }
            #expect(try await fixture.ports.entries() != before)
        }
    }
}

private func enter(_ number: Int, _ writing: WriteContext) throws {
    let organization = try OrganizationID("acme")
    let hasher = RecipientHasher(key: SQLiteFixture.erasureKey)
    var append = try ConsentAppend(organization: organization, now: .noon, hasher, writing)
    let recipient = try RecipientID("person\(number)")
    let record = try NewConsentRecord(
        recipient: recipient, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil, evidence: nil,
        now: .noon)
    let person = try hasher.person(named: recipient, in: organization, by: .email)
    try append.add(record, about: person)
    try append.finish()
}

private func onAnotherThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}
