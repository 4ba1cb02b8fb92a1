import SQLiteFiles

extension Schema {
    /// Requests for consent. A notice may name its reader, so its text is overwritten when the last recipient who was
    /// shown it is erased. The table of notices grows only at its end, and its rows are never deleted, like
    /// `recipients`.
    static let consentRequests = """
        CREATE TABLE consent_notices (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            digest       BLOB,                        -- SHA-256 of the content; NULL once forgotten
            content      TEXT,                        -- a JSON object; NULL once forgotten
            UNIQUE (organization, digest)
        ) STRICT;

        CREATE TABLE consent_requests (
            id                 INTEGER PRIMARY KEY,   -- carries when it was made
            organization       INTEGER NOT NULL,
            recipient          INTEGER,               -- NULL once erased
            notice             INTEGER NOT NULL,
            needs_confirmation INTEGER NOT NULL,
            made_at            INTEGER NOT NULL,
            expires_at         INTEGER NOT NULL,
            confirmation_place INTEGER                -- among those that wait for it; NULL for those that do not
        ) STRICT;
        CREATE INDEX consent_requests_by_organization ON consent_requests (organization, id);
        CREATE INDEX consent_requests_by_recipient ON consent_requests (recipient, id);
        CREATE INDEX consent_requests_by_notice ON consent_requests (notice);
        CREATE INDEX consent_requests_unconfirmed ON consent_requests (organization, confirmation_place, expires_at)
            WHERE confirmation_place IS NOT NULL;

        CREATE TABLE consent_request_purposes (
            request      INTEGER NOT NULL,
            position     INTEGER NOT NULL,            -- in the order asked for, from 0
            recipient    INTEGER,                     -- as that of the request
            purpose      INTEGER NOT NULL,
            pressed      INTEGER,                     -- a consent state: the button that was pressed last
            recorded     INTEGER,                     -- a consent state: that of the last record that came of it
            consent      INTEGER,                     -- that record
            records      INTEGER NOT NULL DEFAULT 0,  -- how many came of it
            later_than   INTEGER NOT NULL,            -- records with a greater id came after the request, or after its record
            later_from   INTEGER NOT NULL,            -- a yes of this moment or later outranks them
            PRIMARY KEY (request, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX consent_request_purposes_asked ON consent_request_purposes (recipient, purpose, request, recorded);

        -- For how many days a recipient is not asked again after a no and after silence.
        ALTER TABLE organizations ADD COLUMN ask_again_days INTEGER NOT NULL DEFAULT 180;
        """
}
