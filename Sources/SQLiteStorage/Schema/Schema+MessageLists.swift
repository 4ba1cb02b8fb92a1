import SQLiteFiles

extension Schema {
    /// The tables for lists of messages. In rows of `messages`, mails of megabytes come before the columns that a list
    /// shows, so no list reads them.
    static let messageLists = """
        CREATE TABLE message_names (
            organization INTEGER NOT NULL,
            message      INTEGER NOT NULL,
            name         BLOB NOT NULL,               -- UTF-8, compared byte for byte
            PRIMARY KEY (organization, message)
        ) STRICT, WITHOUT ROWID;
        -- Content that cannot be read is left to the check of the ledgers. Here it must not keep the file from opening.
        INSERT INTO message_names SELECT organization, id, CASE
                WHEN json_valid(CAST(content AS TEXT))
                THEN CAST(coalesce(json_extract(CAST(content AS TEXT), '$.name'), '') AS BLOB) ELSE x''
            END FROM messages;
        CREATE INDEX message_names_by_name ON message_names (organization, name, message);
        CREATE INDEX messages_listed ON messages (organization, id, purpose, created_at, expires_at, is_disabled);

        -- Messages that were stored before have none.
        CREATE TABLE message_tags (
            organization INTEGER NOT NULL,
            tag          BLOB NOT NULL,               -- as names
            message      INTEGER NOT NULL,
            PRIMARY KEY (organization, tag, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX message_tags_by_message ON message_tags (message, tag);
        """
}
