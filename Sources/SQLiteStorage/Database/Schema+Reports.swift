import SQLiteFiles

extension Schema {
    /// The counts that reports are made of. They are kept by the writes that store decisions and interactions, so a
    /// report reads a few hundred rows, however many recipients a message had.
    ///
    /// Recipients stand in blocks by their number: a list that is composed has consecutive numbers, so a batch changes
    /// few blocks. A row stays below a quarter of a page; SQLite would put more of it into pages of its own.
    static let reports = """
        -- How many people each message was composed for, by the reason under which each of them counts.
        CREATE TABLE people_counts (
            message INTEGER NOT NULL,
            reason  INTEGER NOT NULL,
            count   INTEGER NOT NULL,
            PRIMARY KEY (message, reason)
        ) STRICT, WITHOUT ROWID;

        -- Under which reason each recipient of a message counts: half a byte for each, 0 for none.
        CREATE TABLE message_people (
            message INTEGER NOT NULL,
            block   INTEGER NOT NULL,                 -- of 1,024 numbers of recipients
            states  BLOB NOT NULL,
            PRIMARY KEY (message, block)
        ) STRICT, WITHOUT ROWID;

        -- What came back for a message. `key` is the kind, the link, the day, …, as `series` says.
        CREATE TABLE activity_counts (
            message   INTEGER NOT NULL,
            series    INTEGER NOT NULL,
            key       INTEGER NOT NULL,
            total     INTEGER NOT NULL,
            people    INTEGER NOT NULL,
            automated INTEGER NOT NULL,
            suspected INTEGER NOT NULL,
            PRIMARY KEY (message, series, key)
        ) STRICT, WITHOUT ROWID;

        -- Which recipients of a message count as having clicked or opened: a bit for each.
        CREATE TABLE message_responders (
            message  INTEGER NOT NULL,
            response INTEGER NOT NULL,
            block    INTEGER NOT NULL,                -- of 4,096 numbers of recipients
            bits     BLOB NOT NULL,
            PRIMARY KEY (message, response, block)
        ) STRICT, WITHOUT ROWID;

        -- Of which messages retention has deleted interactions, and since when. Nobody is counted anew for them.
        CREATE TABLE deleted_interactions (
            message INTEGER PRIMARY KEY,
            since   INTEGER NOT NULL
        ) STRICT;

        -- What one recipient did with one message.
        CREATE INDEX interactions_of_person ON interactions (message, recipient, position)
            WHERE recipient IS NOT NULL;

        -- How far the rows that are older than these tables are counted; empty when all are.
        CREATE TABLE report_filling (
            decision INTEGER NOT NULL,                -- the last one that is counted
            message  INTEGER NOT NULL                 -- the last one whose interactions are counted
        ) STRICT;
        INSERT INTO report_filling (decision, message) VALUES (0, 0);
        """
}
