extension Schema {
    /// What checking the ledgers needs besides what they are.
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
}
