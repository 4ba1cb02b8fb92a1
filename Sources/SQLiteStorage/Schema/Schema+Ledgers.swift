import SQLiteFiles

extension Schema {
    static let ledgers = """
        -- 16 random bytes. NULL for rows older than the ledger, and for erased recipients.
        ALTER TABLE decisions ADD COLUMN salt BLOB;
        ALTER TABLE consents ADD COLUMN salt BLOB;

        CREATE TABLE ledgers (
            organization INTEGER PRIMARY KEY REFERENCES organizations,
            origin       TEXT NOT NULL,               -- the name of the log, which never changes
            checkpoint   TEXT                         -- the last one signed
        ) STRICT;

        -- Maps the entries of a ledger to rows: entries `first_leaf` up to `first_leaf + count` are the rows of one
        -- kind from `first_id` through `last_id`, all of which belong to this organization.
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

        -- Entries that have no row of their own.
        CREATE TABLE ledger_events (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            entry        BLOB NOT NULL                -- canonical JSON
        ) STRICT;

        -- 256 hashes each. Written once, when all of them exist.
        CREATE TABLE ledger_tiles (
            organization INTEGER NOT NULL,
            level        INTEGER NOT NULL,
            tile         INTEGER NOT NULL,
            hashes       BLOB NOT NULL,
            PRIMARY KEY (organization, level, tile)
        ) STRICT, WITHOUT ROWID;

        -- The commitments of entries about erased recipients, so that the entries are still rendered in the same way.
        CREATE TABLE kept_commitments (
            kind       INTEGER NOT NULL,
            id         INTEGER NOT NULL,
            commitment BLOB NOT NULL,
            PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        -- The identity of the main file at the last start. A copy of the file has another one.
        CREATE TABLE file_identity (
            inode      INTEGER NOT NULL,
            generation INTEGER NOT NULL               -- inodes are used again; 0 where the file system does not say
        ) STRICT;
        """

    /// The tables and indexes that the check of the ledgers needs besides the ledgers themselves.
    static let ledgerChecks = """
        -- Finds entries of enforcement without reading the others.
        CREATE INDEX ledger_events_of_enforcement ON ledger_events (organization, number)
            WHERE instr(entry, CAST('"type":"enforcement"' AS BLOB)) > 0;

        -- Rows older than the ledger, which have no entry: their number, and the last of them.
        CREATE TABLE ledger_beginnings (
            kind    INTEGER PRIMARY KEY,
            count   INTEGER NOT NULL,
            last_id INTEGER NOT NULL
        ) STRICT;
        INSERT INTO ledger_beginnings SELECT 1, count(*), coalesce(max(id), 0) FROM decisions
            WHERE id < coalesce((SELECT min(first_id) FROM ledger_runs WHERE kind = 1), 9223372036854775807);
        INSERT INTO ledger_beginnings SELECT 2, count(*), coalesce(max(id), 0) FROM consents
            WHERE id < coalesce((SELECT min(first_id) FROM ledger_runs WHERE kind = 2), 9223372036854775807);

        -- Consent records that had no recipient before erasures had entries.
        CREATE TABLE erased_before_ledger (
            organization INTEGER PRIMARY KEY,
            consents     INTEGER NOT NULL
        ) STRICT;
        INSERT INTO erased_before_ledger
            SELECT c.organization, count(*) - (
                SELECT coalesce(sum(json_extract(CAST(e.entry AS TEXT), '$.consents')), 0) FROM ledger_events e
                WHERE e.organization = c.organization AND instr(e.entry, CAST('"type":"erasure"' AS BLOB)) > 0)
            FROM consents c WHERE c.recipient IS NULL GROUP BY c.organization;

        -- The position of the check of the ledgers. Empty between two passes.
        CREATE TABLE ledger_check (
            phase        INTEGER NOT NULL,
            organization INTEGER NOT NULL,
            next         INTEGER NOT NULL
        ) STRICT;
        """

    static let ledgerLastHashes = """
        -- The hashes of the entries that were in no whole tile when the last checkpoint was signed.
        CREATE TABLE ledger_last_hashes (
            organization INTEGER PRIMARY KEY,
            hashes       BLOB NOT NULL
        ) STRICT;
        """
}
