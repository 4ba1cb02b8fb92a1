import Consent
import GRDB
import Identifiers
import Interactions
import Messages
import Organizations
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Ids and positions that no node makes, written by somebody who has the file.
@Suite struct ForgedNumberTests {
    @Test(
        "the greatest number of all does not use up the ids of others",
        arguments: [
            """
            INSERT INTO consents SELECT 9223372036854775807, organization, recipient, purpose, 1, 0, occurred_at,
                recorded_at, NULL, NULL, randomblob(16)
            FROM consents ORDER BY id DESC LIMIT 1
            """,
            "UPDATE access_keys SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM access_keys)",
            "UPDATE messages SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM messages)",
        ])
    func greatest(_ statement: String) async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            _ = try await fixture.ports.message()
            try await fixture.storage.database.write { try $0.db.execute(sql: statement) }
            let reopened = try fixture.reopened()
            let (ports, globex) = (reopened.ports, reopened.ports.globex)
            #expect(try await reopened.storage.latestTime() < .noon + 1_000_000)
            let record = try await ports.record(.withdrawn, for: .bo, in: globex)
            #expect(record.id.rawValue < TimeOrderedNumber.endOfMade)
            let message = try await reopened.storage.stores.messages.save(.init(name: "later"), in: globex, at: .noon)
                .message
            #expect(message.id.rawValue < TimeOrderedNumber.endOfMade)
            let key = NewAPIKey(
                digest: APIKeyDigest(bytes: [UInt8](repeating: 9, count: 32)), name: "later", scopes: [.read])
            let added = try await reopened.storage.stores.organizations.addKey(key, to: globex, at: .noon)
            #expect(try #require(added).id.rawValue < TimeOrderedNumber.endOfMade)
            try reopened.storage.close()
        }
    }

    @Test(
        "a consent record with an id that no node makes hides no later record, and holds up no click",
        arguments: [Int64(TimeOrderedNumber.endOfMade), .max - 1, .max])
    func newest(_ id: Int64) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let references = [
                try await ports.reference(of: .ana, message: message),
                try await ports.reference(of: .bo, message: message),
            ]
            for recipient in [try RecipientID.ana, try .bo] { try await ports.record(.given, for: recipient) }
            let honest = try await ports.consents.newestRecord()
            try await fixture.storage.database.write { writing in
                try writing.db.execute(
                    sql: """
                        INSERT INTO consents SELECT ?, organization, recipient, purpose, 1, 0, occurred_at, recorded_at,
                            NULL, NULL, randomblob(16)
                        FROM consents ORDER BY id DESC LIMIT 1
                        """, arguments: [id])
            }
            let newest = try await ports.consents.newestRecord()
            #expect(newest == honest && newest != nil)
            let clicks = [SpooledOccurrence.click(1, message, references[0]), .click(2, message, references[1])]
            let prepared = try await ports.interactions.prepare(clicks, judgedAsOf: newest)
            try await ports.record(.withdrawn, for: .ana)
            #expect(try await ports.interactions.store(prepared, at: .noon) == [clicks[0]])
        }
    }

    @Test(
        "an interaction with an id that no node makes is deleted for its age, and no later one counts as deleted",
        arguments: [Int64(TimeOrderedNumber.endOfMade), .max])
    func deleted(_ id: Int64) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            let days = [Timestamp.noon, .noon.advanced(byDays: 2)]
            let ids = days.map { TimeOrderedNumber.lowerBound(at: $0) + 1 }
            _ = try await ports.interactions.store([.click(ids[0], message, ana)], at: days[0])
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE interactions SET id = ?", arguments: [id])
            }
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await ports.organizations.change(ports.acme, by: change, at: days[0])
            #expect(try await ports.purge(ports.acme, at: days[1], limit: 9).interactions == 1)
            _ = try await ports.interactions.store([.click(ids[1], message, ana)], at: days[1])
            let query = InteractionQuery()
            #expect(try await ports.interactions.interactions(matching: query, limit: 9, in: ports.acme).count == 1)
        }
    }

    @Test("an interaction's position that cannot be read is an error of the store", arguments: [Int64(-1), 0])
    func position(_ position: Int64) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            _ = try await ports.interactions.store([.click(1, message, ana)], at: .noon)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await ports.organizations.change(ports.acme, by: change, at: .noon)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE interactions SET position = ?", arguments: [position])
            }
            await #expect(throws: StorageError.unreadable) { try await ports.retention.nextDue(in: ports.acme) }
        }
    }

    @Test(
        "days that no organization can have are an error of the store, and end nothing else",
        arguments: [
            "interactions_days = 9223372036854775807", "interactions_days = -1",
            "decisions_days = -9223372036854775808",
            "ask_again_days = 9223372036854775807",
        ])
    func days(_ forged: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            try await ports.interactions.store([.click(1, message, ana)], at: .noon)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE organizations SET \(forged) WHERE id = 'acme'")
            }
            await #expect(throws: StorageError.unreadable) { try await ports.retention.nextDue(in: ports.acme) }
            await #expect(throws: (any Error).self) { try await ports.organizations.organization(ports.acme) }
            #expect(try await ports.organizations.organization(ports.globex) != nil)
        }
    }

    @Test("decisions that were passed by retention up to a number that there is not are looked at from the beginning")
    func purged() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            _ = try await ports.reference(of: .ana, message: message)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .forever, decisions: .days(1)))
            _ = try await ports.organizations.change(ports.acme, by: change, at: .noon)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE organizations SET decisions_purged = -1")
            }
            #expect(try await ports.retention.nextDue(in: ports.acme) != nil)
        }
    }

    @Test("a volume that there is not keeps nobody waiting", arguments: [Int64(1) << 40, .max])
    func volume(_ volume: Int64) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            try await ports.interactions.store([.click(1, message, ana), .click(2, message, ana)], at: .noon)
            for table in ["interactions", "decisions"] {
                try await fixture.storage.database.write {
                    try $0.db.execute(
                        sql: "UPDATE \(table) SET volume = ? WHERE id = (SELECT max(id) FROM \(table))",
                        arguments: [volume])
                }
            }
            let reopened = try fixture.reopened()
            try await reopened.ports.interactions.store([.click(3, message, ana)], at: .noon)
            let found = try await reopened.ports.interactions.interactions(
                matching: InteractionQuery(recipient: .ana), limit: 9, in: ports.acme)
            #expect(found.count == 3)
            #expect(try await reopened.ports.consents.erase(.ana, in: ports.acme).interactions == 3)
            try reopened.storage.close()
        }
    }

    @Test("a time that no clock of the service shows does not set it", arguments: [Int64.max, Int64.max / 2])
    func times(_ time: Int64) async throws {
        try await withSQLite { fixture in
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE enforcements SET since = ?", arguments: [time])
            }
            let reopened = try fixture.reopened()
            #expect(try await reopened.storage.latestTime() < .noon + 1_000_000)
            try reopened.storage.close()
        }
    }
}
