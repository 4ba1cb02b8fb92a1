import Consent
import GRDB
import Identifiers
import Interactions
import Organizations
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteStorage

/// How many interactions an organization has stored, which its quota is compared with.
@Suite struct QuotasTests {
    @Test("quotas are kept as they were set, and can be taken away")
    func kept() async throws {
        try await withSQLite { fixture in
            let (ports, quotas) = (fixture.ports, Quotas(requestsPerMinute: 60, interactions: 1000))
            let new = Organization(
                id: try OrganizationID("new"), name: "New", enforcement: .restrictive, quotas: quotas)
            _ = try await ports.organizations.create(new, firstKey: StorageUnderTest.key(9), at: .noon)
            #expect(try await ports.organizations.organization(new.id) == new)
            for quotas in [Quotas(requestsPerMinute: nil, interactions: 5), .unlimited] {
                _ = try await ports.organizations.change(new.id, by: OrganizationChange(quotas: quotas), at: .noon)
                #expect(try await ports.organizations.organization(new.id)?.quotas == quotas)
            }
        }
    }

    @Test("a file of the version before is counted when it is opened")
    func migration() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            try await fixture.ports.interactions.store([.click(1, message, reference)], at: .noon)
            try fixture.storage.close()
            let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
            try await file.write {
                try $0.execute(
                    sql: """
                        DROP TABLE people_counts; DROP TABLE message_people; DROP TABLE activity_counts;
                        DROP TABLE message_responders; DROP TABLE report_filling; DROP TABLE deleted_interactions;
                        DROP INDEX interactions_of_person;
                        ALTER TABLE organizations DROP COLUMN requires_evidence;
                        ALTER TABLE interactions DROP COLUMN visitor;
                        DROP TABLE message_names;
                        DROP TABLE message_tags;
                        DROP INDEX messages_listed;
                        DROP INDEX interactions_by_organization;
                        DROP INDEX interactions_by_message;
                        DROP INDEX interactions_by_recipient;
                        ALTER TABLE interactions DROP COLUMN position;
                        ALTER TABLE organizations DROP COLUMN interactions_purged;
                        CREATE INDEX interactions_by_organization ON interactions (organization, kind, id);
                        CREATE INDEX interactions_by_message ON interactions (message, kind, id);
                        CREATE INDEX interactions_by_recipient ON interactions (volume, recipient, id);
                        DROP TABLE folder;
                        DROP TABLE ledger_last_hashes;
                        DROP TABLE purge_clock;
                        DROP TABLE ledger_beginnings;
                        DROP TABLE erased_before_ledger;
                        DROP TABLE ledger_check;
                        DROP INDEX ledger_events_of_enforcement;
                        ALTER TABLE organizations DROP COLUMN quota_requests;
                        ALTER TABLE organizations DROP COLUMN quota_interactions;
                        ALTER TABLE organizations DROP COLUMN interactions_stored;
                        PRAGMA user_version = 6
                        """)
            }
            try file.close()
            let reopened = try SQLiteFixture(fixture.folder)
            #expect(try await reopened.storage.interactions.count(in: reopened.ports.acme) == 1)
            #expect(try await reopened.storage.interactions.count(in: reopened.ports.globex) == 0)
            try reopened.storage.close()
        }
    }
}
