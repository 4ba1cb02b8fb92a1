import SQLiteFiles

extension Schema {
    /// Two purposes of one message, and two decisions about one recipient of it. Messages and decisions that are older
    /// have one.
    static let purposes = """
        -- Of its opens; NULL where `purpose` is that of clicks and opens.
        ALTER TABLE messages ADD COLUMN opens_purpose INTEGER;
        DROP INDEX messages_listed;
        CREATE INDEX messages_listed
            ON messages (organization, id, purpose, opens_purpose, created_at, expires_at, is_disabled);

        -- tracked_unasked also has who was tracked for one activity and had said nothing about the other.

        -- What it is about: the number of a TrackedActivity; 0 for both.
        ALTER TABLE decisions ADD COLUMN activity INTEGER NOT NULL DEFAULT 0;

        -- As people_counts and message_people, which count by the decisions about clicks where these are apart: by the
        -- decisions about opens.
        CREATE TABLE opens_people_counts (
            message INTEGER NOT NULL,
            reason  INTEGER NOT NULL,
            count   INTEGER NOT NULL,
            PRIMARY KEY (message, reason)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE message_opens_people (
            message INTEGER NOT NULL,
            block   INTEGER NOT NULL,
            states  BLOB NOT NULL,
            PRIMARY KEY (message, block)
        ) STRICT, WITHOUT ROWID;
        """
}
