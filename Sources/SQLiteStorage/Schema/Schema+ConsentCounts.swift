import SQLiteFiles

extension Schema {
    /// The counts for consent reports. The writes that store consent records and erase recipients update them, so a
    /// report reads a few thousand rows, however many records there are.
    static let consentCounts = """
        -- `series` says what is counted and what `key` is. Counts of statuses are changes: the sum of all days up to a
        -- day is the stock at its end.
        CREATE TABLE consent_counts (
            organization INTEGER NOT NULL,
            purpose      INTEGER NOT NULL,
            series       INTEGER NOT NULL,
            day          INTEGER NOT NULL,            -- since 1970-01-01, in UTC
            key          INTEGER NOT NULL,
            count        INTEGER NOT NULL,
            PRIMARY KEY (organization, purpose, series, day, key)
        ) STRICT, WITHOUT ROWID;

        -- Methods and notices of evidence. Rows are added at the end, and only overwritten with less.
        CREATE TABLE evidence_words (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            kind         INTEGER NOT NULL,
            digest       BLOB,                        -- SHA-256 of the content; NULL once forgotten
            content      TEXT,                        -- JSON; NULL once forgotten
            UNIQUE (organization, kind, digest)
        ) STRICT;

        -- How many records of recipients who are not erased have a word.
        CREATE TABLE evidence_word_uses (
            word    INTEGER PRIMARY KEY,
            records INTEGER NOT NULL
        ) STRICT;

        -- How many decisions were made on a day.
        CREATE TABLE decision_days (
            organization INTEGER NOT NULL,
            day          INTEGER NOT NULL,
            reason       INTEGER NOT NULL,
            count        INTEGER NOT NULL,
            PRIMARY KEY (organization, day, reason)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO decision_days
            SELECT organization, (id >> 21) / 86400000 AS decided_on, reason, count(*)
            FROM decisions GROUP BY organization, decided_on, reason;

        -- Records of erased recipients: it is no longer known which of them was in force.
        INSERT INTO consent_counts
            SELECT organization, purpose, 1, (
                occurred_at - (occurred_at % 86400000 + 86400000) % 86400000) / 86400000 AS counted_on, state, count(*)
            FROM consents WHERE recipient IS NULL GROUP BY organization, purpose, counted_on, state;

        -- Up to which record the older records are counted. Empty when all are counted.
        CREATE TABLE consent_filling (
            last_record  INTEGER NOT NULL,            -- 0 until the first step
            organization INTEGER NOT NULL,
            recipient    INTEGER NOT NULL
        ) STRICT;
        INSERT INTO consent_filling VALUES (0, 0, 0);
        """
}
