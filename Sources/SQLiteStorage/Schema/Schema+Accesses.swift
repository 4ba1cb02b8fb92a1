import SQLiteFiles

extension Schema {
    /// Who looked at which recipient, and why. The table grows only at its end, and its rows are never deleted, like
    /// those of `consents`.
    static let accesses = """
        CREATE TABLE accesses (
            id           INTEGER PRIMARY KEY,         -- carries when it was recorded
            organization INTEGER NOT NULL,
            who          TEXT NOT NULL,               -- the key's id, the operator, an account
            what         INTEGER NOT NULL,
            recipient    INTEGER,                     -- NULL for an unknown or erased recipient
            reason       TEXT,                        -- NULL once erased
            salt         BLOB                         -- NULL once erased
        ) STRICT;
        CREATE INDEX accesses_by_organization ON accesses (organization, id);
        CREATE INDEX accesses_by_who ON accesses (organization, who, id);
        CREATE INDEX accesses_by_recipient ON accesses (recipient, id);

        -- Whether looks through the API are recorded. Older organizations did not ask for it.
        ALTER TABLE organizations ADD COLUMN records_access INTEGER NOT NULL DEFAULT 0;
        -- The newest access that no longer says whom it was about because of its age.
        ALTER TABLE organizations ADD COLUMN accesses_purged INTEGER NOT NULL DEFAULT 0;

        -- Runs of accesses are not in the consent feed either.
        DROP INDEX ledger_runs_of_changes;
        CREATE INDEX ledger_runs_of_changes ON ledger_runs (organization, first_leaf) WHERE kind <> 1 AND kind <> 4;
        """
}
