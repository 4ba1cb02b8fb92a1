import SQLiteFiles

extension Schema {
    static let endpoints = """
        -- Addresses that events are sent to, with their places in the feeds. There is no queue.
        CREATE TABLE endpoints (
            id                 INTEGER PRIMARY KEY,
            organization       INTEGER NOT NULL REFERENCES organizations,
            url                TEXT NOT NULL,
            kinds              INTEGER NOT NULL,      -- a set of bits
            includes_recipient INTEGER NOT NULL,
            state              INTEGER NOT NULL,
            created_at         INTEGER NOT NULL,
            secret             BLOB NOT NULL,         -- sealed
            former_secret      BLOB,                  -- sealed
            former_until       INTEGER,               -- NULL where there is none
            place              TEXT NOT NULL,         -- behind what was delivered of the consent feed
            event              INTEGER NOT NULL,      -- the last row of endpoint_events that was delivered
            interaction        INTEGER NOT NULL,      -- the last position that was told
            rung_at            INTEGER NOT NULL,      -- when it was
            failures           INTEGER NOT NULL,      -- since the last attempt that did not fail
            failing_since      INTEGER,
            due_at             INTEGER NOT NULL,
            attempts           INTEGER NOT NULL,      -- how many there were
            lease              BLOB,                  -- the token of the delivery that is under way
            lease_relay        TEXT,
            lease_process      TEXT,
            lease_until        INTEGER,
            leased             TEXT,                  -- the id of its event
            leased_kind        INTEGER
        ) STRICT;
        CREATE INDEX endpoints_by_organization ON endpoints (organization, id);

        -- Events that are in no other table, in the order of their commits. They name no recipient.
        CREATE TABLE endpoint_events (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            kind         INTEGER NOT NULL,
            endpoint     INTEGER,                     -- whose it is alone
            subject      INTEGER,                     -- the message or the endpoint that it is about
            detail       INTEGER,                     -- the state of that endpoint
            made_at      INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX endpoint_events_by_organization ON endpoint_events (organization, number);

        -- The last attempts of each endpoint.
        CREATE TABLE endpoint_attempts (
            endpoint     INTEGER NOT NULL,
            number       INTEGER NOT NULL,
            made_at      INTEGER NOT NULL,
            kind         INTEGER NOT NULL,
            webhook_id   TEXT NOT NULL,
            status       INTEGER,                     -- NULL where there was no answer
            failure      TEXT,
            milliseconds INTEGER NOT NULL,
            PRIMARY KEY (endpoint, number)
        ) STRICT, WITHOUT ROWID;
        """
}
