import SQLiteFiles

extension Schema {
    /// A report only has a rate of opens if the opens of the message are measured. A report of many messages cannot
    /// read their contents, which are mails of megabytes.
    static let openTracking = """
        -- Whether the mail of a message has a picture that reports opens.
        ALTER TABLE message_names ADD COLUMN tracks_opens INTEGER NOT NULL DEFAULT 0;
        UPDATE message_names SET tracks_opens = 1 WHERE message IN (
            SELECT id FROM messages WHERE instr(content, CAST('"openTracking":true' AS BLOB)) > 0
                AND CASE WHEN json_valid(CAST(content AS TEXT))
                    THEN json_type(CAST(content AS TEXT), '$.openTracking') = 'true' ELSE 0 END);
        """
}
