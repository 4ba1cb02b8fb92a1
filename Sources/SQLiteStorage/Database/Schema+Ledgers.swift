import SQLiteFiles

extension Schema {
    static let ledgers = """
        -- 16 random bytes. NULL for rows older than the ledger, and for whoever is erased.
        ALTER TABLE decisions ADD COLUMN salt BLOB;
        ALTER TABLE consents ADD COLUMN salt BLOB;

        CREATE TABLE ledgers (
            organization INTEGER PRIMARY KEY REFERENCES organizations,
            origin       TEXT NOT NULL,               -- the name of the log, which never changes
            checkpoint   TEXT                         -- the last one signed
        ) STRICT;

        -- Which rows the entries of a ledger are: entries `first_leaf` up to `first_leaf + count` are the rows of one
        -- kind from `first_id` through `last_id`, all of which are this organization's.
        CREATE TABLE ledger_runs (
            organization INTEGER NOT NULL,
            first_leaf   INTEGER NOT NULL,
            count        INTEGER NOT NULL,
            kind         INTEGER NOT NULL,
            first_id     INTEGER NOT NULL,
            last_id      INTEGER NOT NULL,
            PRIMARY KEY (organization, first_leaf)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX ledger_runs_by_row ON ledger_runs (kind, first_id);

        -- Entries that are about no row.
        CREATE TABLE ledger_events (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            entry        BLOB NOT NULL                -- canonical JSON
        ) STRICT;

        -- 256 hashes each. Written once, when they are all there.
        CREATE TABLE ledger_tiles (
            organization INTEGER NOT NULL,
            level        INTEGER NOT NULL,
            tile         INTEGER NOT NULL,
            hashes       BLOB NOT NULL,
            PRIMARY KEY (organization, level, tile)
        ) STRICT, WITHOUT ROWID;

        -- What the entries of erased people were committed to, so that they are still rendered as they were.
        CREATE TABLE kept_commitments (
            kind       INTEGER NOT NULL,
            id         INTEGER NOT NULL,
            commitment BLOB NOT NULL,
            PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        -- The main file itself, as of the last start: a copy of it is another file.
        CREATE TABLE file_identity (
            inode      INTEGER NOT NULL,
            generation INTEGER NOT NULL               -- inodes are used again; 0 where the file system does not say
        ) STRICT;
        """

    /// What the check of the ledgers needs besides the ledgers themselves.
    static let ledgerChecks = """
        -- Entries of enforcement, without reading the others.
        CREATE INDEX ledger_events_of_enforcement ON ledger_events (organization, number)
            WHERE instr(entry, CAST('"type":"enforcement"' AS BLOB)) > 0;

        -- Rows older than the ledger, which have no entry: how many there were, and the last of them.
        CREATE TABLE ledger_beginnings (
            kind    INTEGER PRIMARY KEY,
            count   INTEGER NOT NULL,
            last_id INTEGER NOT NULL
        ) STRICT;
        INSERT INTO ledger_beginnings SELECT 1, count(*), coalesce(max(id), 0) FROM decisions
            WHERE id < coalesce((SELECT min(first_id) FROM ledger_runs WHERE kind = 1), 9223372036854775807);
        INSERT INTO ledger_beginnings SELECT 2, count(*), coalesce(max(id), 0) FROM consents
            WHERE id < coalesce((SELECT min(first_id) FROM ledger_runs WHERE kind = 2), 9223372036854775807);

        -- Consent records that named nobody before erasures had entries.
        CREATE TABLE erased_before_ledger (
            organization INTEGER PRIMARY KEY,
            consents     INTEGER NOT NULL
        ) STRICT;
        INSERT INTO erased_before_ledger
            SELECT c.organization, count(*) - (
                SELECT coalesce(sum(json_extract(CAST(e.entry AS TEXT), '$.consents')), 0) FROM ledger_events e
                WHERE e.organization = c.organization AND instr(e.entry, CAST('"type":"erasure"' AS BLOB)) > 0)
            FROM consents c WHERE c.recipient IS NULL GROUP BY c.organization;

        -- How far the check of the ledgers has come; empty between two passes.
        CREATE TABLE ledger_check (
            phase        INTEGER NOT NULL,
            organization INTEGER NOT NULL,
            next         INTEGER NOT NULL
        ) STRICT;
        """

    static let ledgerLastHashes = """
        -- The hashes of the entries that no whole tile had when the last checkpoint was signed.
        CREATE TABLE ledger_last_hashes (
            organization INTEGER PRIMARY KEY,
            hashes       BLOB NOT NULL
        ) STRICT;
        """
}
