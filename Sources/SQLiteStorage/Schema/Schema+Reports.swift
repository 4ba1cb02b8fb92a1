import SQLiteFiles

extension Schema {
    /// The counts for reports. The writes that store decisions and interactions update them, so a report reads a few
    /// hundred rows, however many recipients a message had.
    ///
    /// Recipients are in blocks by their number: a composed list has consecutive numbers, so a batch changes few
    /// blocks. A row stays below a quarter of a page, because SQLite would put more of it into separate pages.
    static let reports = """
        -- For how many recipients each message was composed, by the reason under which each of them counts.
        CREATE TABLE people_counts (
            message INTEGER NOT NULL,
            reason  INTEGER NOT NULL,
            count   INTEGER NOT NULL,
            PRIMARY KEY (message, reason)
        ) STRICT, WITHOUT ROWID;

        -- The reason under which each recipient of a message counts: half a byte for each, 0 for none.
        CREATE TABLE message_people (
            message INTEGER NOT NULL,
            block   INTEGER NOT NULL,                 -- of 1,024 numbers of recipients
            states  BLOB NOT NULL,
            PRIMARY KEY (message, block)
        ) STRICT, WITHOUT ROWID;

        -- The counts of a message's interactions. `key` is the kind, the link, the day, …, as `series` says.
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

        -- Which recipients of a message count as having clicked or opened, one bit each.
        CREATE TABLE message_responders (
            message  INTEGER NOT NULL,
            response INTEGER NOT NULL,
            block    INTEGER NOT NULL,                -- of 4,096 numbers of recipients
            bits     BLOB NOT NULL,
            PRIMARY KEY (message, response, block)
        ) STRICT, WITHOUT ROWID;

        -- The messages of which retention has deleted interactions, and since when. Their recipients are not counted
        -- again.
        CREATE TABLE deleted_interactions (
            message INTEGER PRIMARY KEY,
            since   INTEGER NOT NULL
        ) STRICT;

        -- Finds the interactions of one recipient with one message.
        CREATE INDEX interactions_of_person ON interactions (message, recipient, position)
            WHERE recipient IS NOT NULL;

        -- Up to which rows the rows older than these tables are counted. Empty when all are counted.
        CREATE TABLE report_filling (
            decision INTEGER NOT NULL,                -- the last one that is counted
            message  INTEGER NOT NULL                 -- the last one whose interactions are counted
        ) STRICT;
        INSERT INTO report_filling (decision, message) VALUES (0, 0);
        """
}
