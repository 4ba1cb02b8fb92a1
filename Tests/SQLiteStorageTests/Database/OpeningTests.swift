import Consent
import Cryptography
import Foundation
import GRDB
import Identifiers
import Interactions
import Ledger
import Messages
import Organizations
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct OpeningTests {
    @Test("every file is its owner's alone")
    func modes() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            let files = try fixture.folder.files
            #expect(files == ["consentlink.db", "consentlink.db-shm", "consentlink.db-wal"])
            for file in files {
                let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path(of: file))
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
            }
        }
    }

    @Test("what was stored is there after closing and opening")
    func reopening() async throws {
        try await withSQLite { fixture in
            let record = try await fixture.ports.record(.given, for: .ana)
            let message = try await fixture.ports.message()
            let first = try await fixture.ports.decide([(try .ana, .consentGiven)], of: message)[0]
            let reopened = try fixture.reopened()
            #expect(try fixture.folder.files.contains("consentlink.db-wal"))
            #expect(try await reopened.ports.status(of: .ana) == .inForce(record.inForce))
            // Ids go on after the last, though the clock stands still.
            let second = try await reopened.ports.decide([(try .ana, .consentGiven)], of: message)[0]
            #expect(second.id > first.id)
            #expect(second.reference == first.reference)
            let later = try await reopened.ports.record(.withdrawn, for: .ana)
            #expect(later.id > record.id)
            try reopened.storage.close()
        }
    }

    @Test("after closing there is no log left, only the file")
    func closing() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try fixture.storage.close()
            #expect(try fixture.folder.files == ["consentlink.db"])
        }
    }

    @Test("another erasure key is refused, for nobody would be recognised")
    func wrongKey() async throws {
        try await withSQLite { fixture in
            try fixture.storage.close()
            #expect(throws: WrongErasureKey()) {
                try SQLiteStorage.open(
                    folder: fixture.folder.path,
                    erasureKey: SecretBytes([UInt8](repeating: 8, count: 32)),
                    ledgerHost: "links.example",
                    observer: RecordingObserver(),
                    clock: { .noon }
                )
            }
        }
    }

    @Test("a file of the first version is brought up, with what is in it")
    func migration() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(sql: Self.laterUndone + Self.ledgersUndone)
                try $0.execute(
                    sql: """
                        DROP TABLE added_links;
                        DROP TABLE requests;
                        ALTER TABLE organizations DROP COLUMN interactions_days;
                        ALTER TABLE organizations DROP COLUMN decisions_days;
                        ALTER TABLE organizations DROP COLUMN decisions_purged;
                        PRAGMA user_version = 1
                        """
                )
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            let before = try #require(try await reopened.ports.messages.message(message))
            #expect(before.links.isEmpty)
            let target = try TargetURL(stored: "https://shop.example/new")
            let link = MailLink(part: .html, target: target, label: nil)
            let added = try await reopened.ports.messages.addLinks([link], to: message, in: reopened.ports.acme)
            let again = try reopened.reopened()
            #expect(try await again.ports.messages.message(message)?.links == added?.compactMap(\.self))
            #expect(added?.count == 1)
            try again.storage.close()
        }
    }

    @Test("what is older than the ledger is not in it; the next thing that happens begins it")
    func ledgerBegins() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let old = try await fixture.ports.record(.given, for: .ana, evidence: ConsentEvidence(method: "form"))
            let decided = try await fixture.ports.decide([(.ana, .consentGiven)], of: message)[0]
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(sql: Self.laterUndone + Self.ledgersUndone)
                try $0.execute(sql: "PRAGMA user_version = 4")
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            #expect(try await ports.ledgers.head(of: ports.acme) == nil)
            let new = try await ports.record(.withdrawn, for: .ana)
            let items = try await ports.ledgers.entries(from: 0, count: 9, in: ports.acme)
            #expect(items.map(\.subject) == [.event, .consent(new.id)])
            #expect(items[0].entry == LedgerEntry.enforcement(at: .noon, .restrictive).json)
            #expect(try await ports.ledgers.entry(of: old.id, in: ports.acme) == nil)
            #expect(try await ports.ledgers.entry(of: decided.id, in: ports.acme) == nil)
            let erased = try await ports.consents.erase(.ana, in: ports.acme)
            #expect(erased == Erasure(consents: 2, decisions: 1, interactions: 0))
            try await ports.checkTree()
            // As at a start: every organization has its ledger before anything is checked.
            _ = try await reopened.storage.ledgers.begin(at: .noon)
            let found = try await findings(reopened)
            #expect(found == [])
            try reopened.storage.close()
        }
    }

    @Test("an organization made before compares its recipients byte for byte, one made now by e-mail address")
    func identifiers() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(sql: Self.laterUndone)
                try $0.execute(sql: "PRAGMA user_version = 5")
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            #expect(try await ports.organizations.organization(ports.acme)?.identifiers == .exact)
            let (small, capital) = (try RecipientID("ana@example.com"), try RecipientID("Ana@example.com"))
            #expect(try await ports.consents.history(of: small, in: ports.acme).count == 1)
            #expect(try await ports.consents.history(of: capital, in: ports.acme).isEmpty)
            let new = Organization(id: try OrganizationID("new"), name: "New", enforcement: .restrictive)
            _ = try await ports.organizations.create(new, firstKey: StorageUnderTest.key(9), at: .noon)
            try await ports.record(.given, for: capital, in: new.id)
            #expect(try await ports.consents.history(of: small, in: new.id).count == 1)
            try reopened.storage.close()
        }
    }

    @Test("an organization made before keeps what it kept, for ever too, and asks for no evidence")
    func evidenceBegins() async throws {
        try await withSQLite { fixture in
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(sql: Self.evidenceUndone)
                try $0.execute(sql: "PRAGMA user_version = 15")
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            let before = try #require(try await ports.organizations.organization(ports.acme))
            #expect(before.retention == .forever)
            #expect(!before.requiresEvidence)
            let change = OrganizationChange(requiresEvidence: true)
            let changed = try await ports.organizations.change(ports.acme, by: change, at: .noon)
            #expect(changed?.requiresEvidence == true && changed?.retention == .forever)
            try reopened.storage.close()
        }
    }

    @Test("of interactions that were stored without a reason no more is told than is known")
    func visitorsBegin() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            let visitors = [Visitor.browserAgent, .deviceReport, .scannerAgent, .gmailImageProxy, .appleMailPrivacy]
            try await fixture.storage.interactions.store(
                visitors.enumerated().map { .opening(UInt64($0 + 1), message, reference, by: $1) }, at: .noon)
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(sql: Self.visitorsUndone)
                try $0.execute(sql: "PRAGMA user_version = 14")
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            let store = reopened.storage.interactions
            let all = try await store.interactions(matching: InteractionQuery(), limit: 9, in: reopened.ports.acme)
            // The flag of the fourth was that it is no machine.
            #expect(
                all.map(\.visitor) == [
                    .formerPerson, .formerPerson, .formerMachine, .formerPerson, .formerMachine,
                ])
            #expect(all.map(\.visitor.reason) == Array(repeating: .notKept, count: 5))
            try await store.store([.opening(9, message, reference, by: .yahooMailProxy)], at: .noon)
            let asked = InteractionQuery(visitor: .cannotTell)
            let found = try await store.interactions(matching: asked, limit: 9, in: reopened.ports.acme)
            #expect(found.map(\.visitor) == [.yahooMailProxy])
            try reopened.storage.close()
        }
    }

    @Test("interactions of a file without positions keep their order and their readers' places")
    func positionsBegin() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            let noon = TimeOrderedNumber.lowerBound(at: .noon)
            let old = (1...3).map { SpooledOccurrence.click(noon + $0, message, reference) }
            try await fixture.storage.interactions.store(old, at: .noon)
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(sql: Self.positionsUndone)
                try $0.execute(sql: "PRAGMA user_version = 11")
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            let store = reopened.storage.interactions
            let acme = reopened.ports.acme
            // A click that was spooled before all of them and is drained now.
            try await store.store([.click(noon - 1, message, reference)], at: .noon)
            let all = try await store.interactions(matching: InteractionQuery(), limit: 9, in: acme)
            #expect(all.map(\.id) == old.map(\.id) + [InteractionID(TimeOrderedNumber(known: noon - 1))])
            #expect(all.prefix(3).map(\.position.number) == old.map(\.id.number))
            for place in [InteractionPlace.interaction(old[1].id), .position(all[1].position)] {
                let rest = try await store.interactions(matching: InteractionQuery(after: place), limit: 9, in: acme)
                #expect(rest == Array(all.dropFirst(2)))
            }
            try reopened.storage.close()
        }
    }

    @Test("messages of a file without lists are listed by their names, whatever their content is")
    func messageListsBegin() async throws {
        try await withSQLite { fixture in
            let names = ["spring", "\"quoted\" \\ back", "é", "e\u{301}", "🎁", "torn"]
            var ids: [MessageID] = []
            for name in names { ids.append(try await fixture.ports.message(name)) }
            var tagged = Message(name: "tagged")
            tagged.tags = [try MessageTag("t")]
            let last = try await fixture.storage.messages.save(tagged, in: fixture.ports.acme, at: .noon).message.id
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(sql: Self.messageListsUndone)
                try $0.execute(
                    sql: "UPDATE messages SET content = x'7B' WHERE content = x'7B226E616D65223A22746F726E227D'")
                try $0.execute(sql: "DELETE FROM messages WHERE id = ?", arguments: [Int64(last.rawValue)])
                try $0.execute(sql: "PRAGMA user_version = 13")
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            let (messages, acme) = (reopened.storage.messages, reopened.ports.acme)
            let list = try await messages.messages(matching: MessageQuery(), limit: 9, in: acme) ?? []
            #expect(list.reversed().map(\.id) == ids)
            #expect(list.reversed().map { Array($0.name.utf8) } == (names.dropLast() + [""]).map { Array($0.utf8) })
            #expect(list.allSatisfy { $0.tags.isEmpty && $0.createdAt == .noon && $0.purpose == .tracking })
            for (name, id) in zip(names.prefix(5), ids) {
                #expect(try await messages.id(of: Message(name: name), in: acme) == id, "the digest is what it was")
                let query = MessageQuery(name: try MessageNamePrefix(name))
                #expect(try await messages.messages(matching: query, limit: 9, in: acme)?.map(\.id) == [id])
            }
            try reopened.storage.close()
        }
    }

    private static let reportsUndone = """
        DROP TABLE people_counts; DROP TABLE message_people; DROP TABLE activity_counts;
        DROP TABLE message_responders; DROP TABLE report_filling; DROP TABLE deleted_interactions; DROP INDEX interactions_of_person;

        """

    private static let evidenceUndone = reportsUndone + "ALTER TABLE organizations DROP COLUMN requires_evidence;\n"

    private static let visitorsUndone = evidenceUndone + "ALTER TABLE interactions DROP COLUMN visitor;\n"

    private static let messageListsUndone =
        visitorsUndone + """
            DROP TABLE message_names; DROP TABLE message_tags; DROP INDEX messages_listed;

            """

    private static let positionsUndone =
        messageListsUndone + """
            DROP INDEX interactions_by_organization; DROP INDEX interactions_by_message;
            DROP INDEX interactions_by_recipient;
            ALTER TABLE interactions DROP COLUMN position;
            ALTER TABLE organizations DROP COLUMN interactions_purged;
            CREATE INDEX interactions_by_organization ON interactions (organization, kind, id);
            CREATE INDEX interactions_by_message ON interactions (message, kind, id);
            CREATE INDEX interactions_by_recipient ON interactions (volume, recipient, id);

            """

    private static let laterUndone =
        positionsUndone + """
            ALTER TABLE organizations DROP COLUMN quota_requests; ALTER TABLE organizations DROP COLUMN quota_interactions;
            ALTER TABLE organizations DROP COLUMN interactions_stored;
            DROP TABLE purge_clock;
            ALTER TABLE organizations DROP COLUMN identifiers; ALTER TABLE people DROP COLUMN is_respelled;
            DROP TABLE ledger_beginnings; DROP TABLE erased_before_ledger; DROP TABLE ledger_check;
            DROP INDEX ledger_events_of_enforcement;
            DROP TABLE folder; DROP TABLE ledger_last_hashes;

            """

    private static let ledgersUndone = """
        DROP TABLE ledgers; DROP TABLE ledger_runs; DROP TABLE ledger_events; DROP TABLE ledger_tiles;
        DROP TABLE kept_commitments; DROP TABLE file_identity;
        ALTER TABLE decisions DROP COLUMN salt; ALTER TABLE consents DROP COLUMN salt;
        """

    @Test("a file of a later version is left alone")
    func newerSchema() async throws {
        try await refused("PRAGMA user_version = 99", .newerSchema(found: 99, known: Schema.main.versions.count))
    }

    @Test("a file of another program is left alone")
    func foreignFile() async throws {
        try await refused("PRAGMA application_id = 1", .foreignFile)
    }

    @Test("a file that is no database is refused")
    func noDatabase() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let garbage = Data((0..<5000).map { UInt8($0 % 251) })
        try garbage.write(to: URL(filePath: folder.path(of: SQLiteStorage.fileName)))
        #expect(throws: StorageError.failed(SQLiteFault(code: 26))) { try SQLiteFixture(folder) }
    }

    @Test("a folder that is not there is said to be the reason, without its name")
    func noFolder() throws {
        let error = #expect(throws: StorageError.cannotCreateFile) {
            try SQLiteDatabase(
                path: "/nowhere/at/all/consentlink.db",
                participant: LedgerWriting(CommittedLedgers(), host: "links.example"), clock: { .noon })
        }
        #expect(error?.description.contains("nowhere") == false)
    }

    private func refused(_ pragma: String, _ error: StorageError) async throws {
        try await withSQLite { fixture in
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try file.writeWithoutTransaction { try $0.execute(sql: pragma) }
            try file.close()
            #expect(throws: error) { try SQLiteFixture(fixture.folder) }
        }
    }
}
