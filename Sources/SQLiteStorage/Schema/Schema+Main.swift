package import SQLiteFiles

extension Schema {
    /// The tables of the main file.
    ///
    /// - Only `recipients.identifier`, `consents.evidence` and `accesses.reason` name a recipient, and
    ///   `consent_notices` and `evidence_words` may. These tables grow only at their end, and their rows are never
    ///   deleted. When SQLite makes room in the middle of a table or fills a gap, it moves rows between pages and
    ///   leaves copies behind that `secure_delete` does not overwrite; that never happens here. So overwriting the
    ///   value is enough to forget it.
    /// - The salt of an entry in a ledger would link the entry to a recipient as a name does. Salts are only in
    ///   `consents`, `decisions` and `accesses`, which also grow only at their end.
    /// - A recipient is found by `hashing.hash`, the HMAC-SHA-256 of organization and recipient key under the erasure
    ///   key. Only this hash stays after an erasure.
    /// - Other tables refer to a recipient by the number of their row. Numbers are consecutive, so rows about a list of
    ///   recipients that is used again and again are adjacent; with random references they would not be.
    /// - A row that another row refers to is looked up in the transaction that writes the reference. The tables that
    ///   grow by hundred thousands of rows a second have no foreign keys, which would look it up again.
    package static let main = Schema(versions: [
        organizations + people + messages + consents + decisions + interactions,
        requests,
        addedLinks,
        retention,
        ledgers,
        identifiers,
        quotas,
        ledgerChecks,
        purgeClock,
        FolderIDTable.schema,
        ledgerLastHashes,
        interactionPositions,
        interactionsPurged,
        messageLists,
        visitors,
        requiredEvidence,
        reports,
        judgedInteractions,
        openTracking,
        purposes,
        consentPage,
        consentRequests,
        consentFeed,
        endpoints,
        sessions,
        accesses,
        consentCounts,
        keyUses,
        rowIDIndexes,
        ledgerCheckOfNode,
        uncountedPeople,
        evidenceWordPeople,
        purgeClockOfHold,
        evidenceWordsByBytes,
        consentsNotGiven,
        clockFaults,
    ])

    private static let organizations = """
        CREATE TABLE organizations (
            number       INTEGER PRIMARY KEY,
            id           TEXT NOT NULL UNIQUE,
            name         TEXT NOT NULL,
            enforcement  INTEGER NOT NULL,
            target_hosts TEXT NOT NULL,               -- a JSON array
            honors_gpc   INTEGER NOT NULL,
            erasures     INTEGER NOT NULL DEFAULT 0   -- how often a recipient was erased
        ) STRICT;

        CREATE TABLE enforcements (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL REFERENCES organizations,
            since        INTEGER NOT NULL,
            enforcement  INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX enforcements_by_organization ON enforcements (organization, number);

        CREATE TABLE access_keys (
            id           INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL REFERENCES organizations,
            digest       BLOB NOT NULL UNIQUE,
            name         TEXT NOT NULL,
            scopes       INTEGER NOT NULL             -- a set of bits
        ) STRICT;
        CREATE INDEX access_keys_by_organization ON access_keys (organization);

        CREATE TABLE purposes (
            number INTEGER PRIMARY KEY,
            name   TEXT NOT NULL UNIQUE
        ) STRICT;

        -- The hash of no recipient, to recognise the erasure key.
        CREATE TABLE erasure_key (hash BLOB NOT NULL) STRICT;

        """

    private static let people = """
        CREATE TABLE recipients (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            reference    INTEGER NOT NULL UNIQUE,     -- the 64 bits of a RecipientReference
            identifier   TEXT                         -- NULL once erased
        ) STRICT;
        CREATE INDEX recipients_erased ON recipients (organization) WHERE identifier IS NULL;

        CREATE TABLE people (
            hash      BLOB PRIMARY KEY,
            recipient INTEGER,                        -- NULL once erased, until heard of again
            is_erased INTEGER NOT NULL                -- 1 until a new grant
        ) STRICT, WITHOUT ROWID;

        """

    private static let messages = """
        CREATE TABLE messages (
            id           INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL REFERENCES organizations,
            digest       BLOB NOT NULL,               -- SHA-256 of the content
            content      BLOB NOT NULL,               -- canonical JSON
            purpose      INTEGER NOT NULL REFERENCES purposes,
            is_disabled  INTEGER NOT NULL DEFAULT 0,
            created_at   INTEGER NOT NULL,
            expires_at   INTEGER,
            UNIQUE (organization, digest)
        ) STRICT;
        CREATE INDEX messages_by_expiry ON messages (expires_at) WHERE expires_at IS NOT NULL;

        """

    private static let consents = """
        CREATE TABLE consents (
            id            INTEGER PRIMARY KEY,
            organization  INTEGER NOT NULL,
            recipient     INTEGER,                    -- NULL once erased
            purpose       INTEGER NOT NULL,
            state         INTEGER NOT NULL,
            ends_tracking INTEGER NOT NULL,           -- follows from the state
            occurred_at   INTEGER NOT NULL,
            recorded_at   INTEGER NOT NULL,
            valid_until   INTEGER,
            evidence      TEXT                        -- a JSON object; NULL once erased
        ) STRICT;
        -- The record in force at a time is the last entry up to it. The columns after id make reading the row
        -- unnecessary.
        CREATE INDEX consents_in_force ON consents (
            organization, recipient, purpose, occurred_at, ends_tracking, id, state, valid_until
        );

        -- Recipients who were tracked without a consent record. They must be known when that is no longer enough.
        CREATE TABLE tracked_unasked (
            organization INTEGER NOT NULL,
            recipient    INTEGER NOT NULL,
            purpose      INTEGER NOT NULL,
            PRIMARY KEY (organization, recipient, purpose)
        ) STRICT, WITHOUT ROWID;

        """

    private static let decisions = """
        CREATE TABLE decisions (
            id           INTEGER PRIMARY KEY,         -- carries the time of the decision
            organization INTEGER NOT NULL,
            message      INTEGER NOT NULL,
            recipient    INTEGER,                     -- NULL for an erased recipient
            reason       INTEGER NOT NULL,
            enforcement  INTEGER NOT NULL,
            consent      INTEGER,                     -- the record it rests on
            volume       INTEGER NOT NULL             -- see LogVolumes
        ) STRICT;
        CREATE INDEX decisions_by_organization ON decisions (organization, reason, id);
        CREATE INDEX decisions_by_message ON decisions (message, reason, id);
        CREATE INDEX decisions_by_recipient ON decisions (volume, recipient, id);

        CREATE TABLE decision_counts (
            message INTEGER NOT NULL,
            reason  INTEGER NOT NULL,
            count   INTEGER NOT NULL,
            PRIMARY KEY (message, reason)
        ) STRICT, WITHOUT ROWID;

        """

    private static let interactions = """
        CREATE TABLE interactions (
            id           INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            message      INTEGER NOT NULL,
            recipient    INTEGER,                     -- NULL for an erased recipient
            kind         INTEGER NOT NULL,
            source       INTEGER NOT NULL,
            link         INTEGER NOT NULL,
            is_automated INTEGER NOT NULL,
            occurred_at  INTEGER NOT NULL,
            recorded_at  INTEGER NOT NULL,
            action       TEXT,
            is_first     INTEGER NOT NULL,            -- of its kind, of this person and message
            volume       INTEGER NOT NULL             -- see LogVolumes
        ) STRICT;

        -- The kinds of interactions that a recipient has had with a message, once for each kind.
        CREATE TABLE first_interactions (
            recipient INTEGER NOT NULL,
            message   INTEGER NOT NULL,
            kind      INTEGER NOT NULL,
            PRIMARY KEY (recipient, message, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX interactions_by_organization ON interactions (organization, kind, id);
        CREATE INDEX interactions_by_message ON interactions (message, kind, id);
        CREATE INDEX interactions_by_recipient ON interactions (volume, recipient, id);
        """

    private static let requests = """
        -- Requests with an Idempotency-Key that had their effect: keyed hashes and references, without personal data.
        CREATE TABLE requests (
            number  INTEGER PRIMARY KEY,
            key     BLOB NOT NULL UNIQUE,
            body    BLOB NOT NULL,
            made_at INTEGER NOT NULL,
            first   INTEGER NOT NULL,                 -- ids of what it made
            last    INTEGER NOT NULL,
            is_new  INTEGER NOT NULL                  -- 0 when it was there already
        ) STRICT;
        CREATE INDEX requests_by_age ON requests (made_at);
        """

    private static let retention = """
        -- For how many days data is kept. NULL means for ever.
        ALTER TABLE organizations ADD COLUMN interactions_days INTEGER;
        ALTER TABLE organizations ADD COLUMN decisions_days INTEGER;
        -- The newest decision that no longer says whom it was about because of its age.
        ALTER TABLE organizations ADD COLUMN decisions_purged INTEGER NOT NULL DEFAULT 0;
        """

    private static let identifiers = """
        -- How recipients are compared: 1 e-mail addresses as such, 2 byte for byte. Older organizations compare bytes.
        ALTER TABLE organizations ADD COLUMN identifiers INTEGER NOT NULL DEFAULT 2;
        -- Whether recipients.identifier is spelt differently from the text that `hash` is of.
        ALTER TABLE people ADD COLUMN is_respelled INTEGER NOT NULL DEFAULT 0;
        """

    private static let quotas = """
        -- The quotas of an organization. NULL means no limit.
        ALTER TABLE organizations ADD COLUMN quota_requests INTEGER;     -- a minute
        ALTER TABLE organizations ADD COLUMN quota_interactions INTEGER;
        -- How many rows of `interactions` the organization has.
        ALTER TABLE organizations ADD COLUMN interactions_stored INTEGER NOT NULL DEFAULT 0;
        UPDATE organizations SET interactions_stored = (
            SELECT count(*) FROM interactions WHERE interactions.organization = organizations.number
        );
        """

    private static let purgeClock = """
        -- The last time at which the clock was trusted enough to delete by it, and whether it is not trusted now. One
        -- row.
        CREATE TABLE purge_clock (
            trusted INTEGER NOT NULL,
            is_held INTEGER NOT NULL
        ) STRICT;
        """

    private static let addedLinks = """
        -- Links that rewriting found. Rows are only added. Indexes have a gap where a process begins at a random one.
        CREATE TABLE added_links (
            message INTEGER NOT NULL REFERENCES messages,
            link    INTEGER NOT NULL,                 -- the index
            url     TEXT NOT NULL,
            place   TEXT NOT NULL,                    -- where it was first found
            label   TEXT,
            PRIMARY KEY (message, link),
            UNIQUE (message, url)
        ) STRICT, WITHOUT ROWID;
        """
}
