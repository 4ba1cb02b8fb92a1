import SQLiteFiles

extension Schema {
    /// Two purposes of one message, and two decisions about one recipient of it. Older messages and decisions have one.
    static let purposes = """
        -- The purpose of its opens. NULL if `purpose` is for clicks and opens.
        ALTER TABLE messages ADD COLUMN opens_purpose INTEGER;
        DROP INDEX messages_listed;
        CREATE INDEX messages_listed
            ON messages (organization, id, purpose, opens_purpose, created_at, expires_at, is_disabled);

        -- tracked_unasked also has recipients who were tracked for one activity and had no record for the other.

        -- The activity of the decision: the number of a TrackedActivity, or 0 for both.
        ALTER TABLE decisions ADD COLUMN activity INTEGER NOT NULL DEFAULT 0;

        -- Like people_counts and message_people, but by the decisions about opens. Those two use the decisions about
        -- clicks if there are separate ones.
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
