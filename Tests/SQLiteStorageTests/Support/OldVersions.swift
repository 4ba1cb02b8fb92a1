import GRDB
import SQLiteFiles
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What makes a file of today one of an earlier version.
enum OldVersions {
    /// What undoes each version but the first, in the order of `Schema.main`.
    static let undone = [
        "DROP TABLE requests;",
        "DROP TABLE added_links;",
        """
        ALTER TABLE organizations DROP COLUMN interactions_days; ALTER TABLE organizations DROP COLUMN decisions_days;
        ALTER TABLE organizations DROP COLUMN decisions_purged;
        """,
        """
        DROP TABLE ledgers; DROP TABLE ledger_runs; DROP TABLE ledger_events; DROP TABLE ledger_tiles;
        DROP TABLE kept_commitments; DROP TABLE file_identity;
        ALTER TABLE decisions DROP COLUMN salt; ALTER TABLE consents DROP COLUMN salt;
        """,
        "ALTER TABLE organizations DROP COLUMN identifiers; ALTER TABLE people DROP COLUMN is_respelled;",
        """
        ALTER TABLE organizations DROP COLUMN quota_requests;
        ALTER TABLE organizations DROP COLUMN quota_interactions;
        ALTER TABLE organizations DROP COLUMN interactions_stored;
        """,
        """
        DROP TABLE ledger_beginnings; DROP TABLE erased_before_ledger; DROP TABLE ledger_check;
        DROP INDEX ledger_events_of_enforcement;
        """,
        "DROP TABLE purge_clock;",
        "DROP TABLE folder;",
        "DROP TABLE ledger_last_hashes;",
        """
        DROP INDEX interactions_by_organization; DROP INDEX interactions_by_message;
        DROP INDEX interactions_by_recipient;
        ALTER TABLE interactions DROP COLUMN position;
        CREATE INDEX interactions_by_organization ON interactions (organization, kind, id);
        CREATE INDEX interactions_by_message ON interactions (message, kind, id);
        CREATE INDEX interactions_by_recipient ON interactions (volume, recipient, id);
        """,
        "ALTER TABLE organizations DROP COLUMN interactions_purged;",
        "DROP TABLE message_names; DROP TABLE message_tags; DROP INDEX messages_listed;",
        "ALTER TABLE interactions DROP COLUMN visitor;",
        "ALTER TABLE organizations DROP COLUMN requires_evidence;",
        """
        DROP TABLE people_counts; DROP TABLE message_people; DROP TABLE activity_counts;
        DROP TABLE message_responders; DROP TABLE report_filling; DROP TABLE deleted_interactions;
        DROP INDEX interactions_of_person;
        """,
        """
        DROP INDEX interactions_of_person;
        CREATE INDEX interactions_of_person ON interactions (message, recipient, position)
            WHERE recipient IS NOT NULL;
        """,
        "ALTER TABLE message_names DROP COLUMN tracks_opens;",
        """
        DROP TABLE opens_people_counts; DROP TABLE message_opens_people; ALTER TABLE decisions DROP COLUMN activity;
        DROP INDEX messages_listed; ALTER TABLE messages DROP COLUMN opens_purpose;
        CREATE INDEX messages_listed ON messages (organization, id, purpose, created_at, expires_at, is_disabled);
        """,
        "ALTER TABLE organizations DROP COLUMN consent_url;",
        """
        DROP TABLE consent_notices; DROP TABLE consent_requests; DROP TABLE consent_request_purposes;
        ALTER TABLE organizations DROP COLUMN ask_again_days;
        """,
        "DROP INDEX ledger_runs_of_changes;",
        "DROP TABLE endpoints; DROP TABLE endpoint_events; DROP TABLE endpoint_attempts;",
        """
        DROP TABLE sessions; DROP TABLE sign_in_links;
        """,
        """
        DROP TABLE accesses;
        ALTER TABLE organizations DROP COLUMN records_access; ALTER TABLE organizations DROP COLUMN accesses_purged;
        DROP INDEX ledger_runs_of_changes;
        CREATE INDEX ledger_runs_of_changes ON ledger_runs (organization, first_leaf) WHERE kind <> 1;
        """,
        """
        DROP TABLE consent_counts; DROP TABLE evidence_words; DROP TABLE evidence_word_uses; DROP TABLE decision_days;
        DROP TABLE consent_filling;
        """,
        "ALTER TABLE access_keys DROP COLUMN last_used_at;",
        """
        DROP INDEX decisions_by_organization; DROP INDEX decisions_by_message; DROP INDEX decisions_by_recipient;
        CREATE INDEX decisions_by_organization ON decisions (organization, reason, id);
        CREATE INDEX decisions_by_message ON decisions (message, reason, id);
        CREATE INDEX decisions_by_recipient ON decisions (volume, recipient, id);
        DROP INDEX accesses_by_organization; DROP INDEX accesses_by_who; DROP INDEX accesses_by_recipient;
        CREATE INDEX accesses_by_organization ON accesses (organization, id);
        CREATE INDEX accesses_by_who ON accesses (organization, who, id);
        CREATE INDEX accesses_by_recipient ON accesses (recipient, id);
        """,
        "ALTER TABLE ledger_check DROP COLUMN node;",
        "DELETE FROM activity_counts WHERE series = 8;",
        """
        DROP TABLE evidence_word_people; DROP TABLE evidence_word_filling;
        CREATE TABLE evidence_word_uses (word INTEGER PRIMARY KEY, records INTEGER NOT NULL) STRICT;
        """,
        "ALTER TABLE purge_clock DROP COLUMN held_since; ALTER TABLE purge_clock DROP COLUMN seen;",
        "-- It changed no table.",
        "DROP INDEX consents_not_given;",
        "DROP TABLE clock_faults; DROP TABLE clock_note;",
    ]
}

@Suite struct OldVersionsTests {
    @Test("every version but the first can be undone")
    func complete() {
        #expect(OldVersions.undone.count == Schema.main.versions.count - 1)
    }
}

extension SQLiteFixture {
    /// Closes the file and makes it one of the version before `schema` came, with what is in it.
    /// - Parameter changes: statements that are run on the old file.
    func makeOld(before schema: String, and changes: String = "") async throws {
        try await makeOld(version: try #require(Schema.main.versions.firstIndex(of: schema)), and: changes)
    }

    /// - Parameter version: counted from 1.
    func makeOld(version: Int, and changes: String = "") async throws {
        try storage.close()
        let file = try DatabaseQueue(path: folder.path(of: SQLiteStorage.fileName))
        let undone = OldVersions.undone.dropFirst(version - 1).reversed().joined(separator: "\n")
        try await file.write { try $0.execute(sql: "\(undone)\n\(changes)\nPRAGMA user_version = \(version)") }
        try file.close()
    }
}
