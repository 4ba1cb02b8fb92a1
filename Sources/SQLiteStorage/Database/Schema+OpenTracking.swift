import SQLiteFiles

extension Schema {
    /// Whether opens of a message are measured decides whether a report gives a rate of them. A report of many messages
    /// cannot read their contents, which are mails of megabytes.
    static let openTracking = """
        -- Whether the mail of a message has a picture that tells of openings.
        ALTER TABLE message_names ADD COLUMN tracks_opens INTEGER NOT NULL DEFAULT 0;
        UPDATE message_names SET tracks_opens = 1 WHERE message IN (
            SELECT id FROM messages WHERE instr(content, CAST('"openTracking":true' AS BLOB)) > 0
                AND CASE WHEN json_valid(CAST(content AS TEXT))
                    THEN json_type(CAST(content AS TEXT), '$.openTracking') = 'true' ELSE 0 END);
        """
}
