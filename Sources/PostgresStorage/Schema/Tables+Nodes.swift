/// The tables that several nodes on one database share.
extension Tables {
    static let nodes = """
        -- The writing node holds this row until its commit, so nodes take turns to write. `latest` is the greatest
        -- number that any of them made. The feed columns say where the feed of rules ends.
        ALTER TABLE writer
            ADD latest        bigint NOT NULL DEFAULT 0,
            ADD feed_position bigint NOT NULL DEFAULT 0,
            ADD feed_mark     bigint NOT NULL DEFAULT 0;
        ALTER TABLE writer SET (fillfactor = 10);

        -- The last changes of the rules in the order of their commits. A node that missed more reads all rules.
        CREATE TABLE rule_changes (
            position bigint PRIMARY KEY,
            mark     bigint NOT NULL,                           -- random
            made_at  timestamptz NOT NULL DEFAULT now(),
            kind     smallint NOT NULL,
            payload  bytea NOT NULL
        );

        -- Each node, and the last change of the rules that it has applied.
        CREATE TABLE nodes (
            slot     smallint PRIMARY KEY,
            id       text COLLATE "C" NOT NULL UNIQUE,          -- of its data folder
            name     text COLLATE "C" NOT NULL UNIQUE,
            place    text COLLATE "C" NOT NULL,                 -- of its data folder
            instance bytea NOT NULL,                            -- of the process
            version  text COLLATE "C" NOT NULL,
            state    smallint NOT NULL,                         -- 1 running, 2 stopped
            position bigint NOT NULL,
            mark     bigint NOT NULL,
            spooled  bigint NOT NULL,                           -- clicks in its spool
            ring     bigint NOT NULL,                           -- version of the ring of signing keys that it opens with
            beats    bigint NOT NULL,
            beat_at  timestamptz NOT NULL,
            made_at  timestamptz NOT NULL DEFAULT now()
        ) WITH (fillfactor = 10);

        CREATE TABLE leases (
            job    text COLLATE "C" PRIMARY KEY,
            number bigint NOT NULL,
            ends   bigint                                       -- NULL when it was released
        );

        -- The right edge of each ledger: the hashes that no whole tile has.
        CREATE TABLE ledger_edges (
            organization bigint PRIMARY KEY,
            size         bigint NOT NULL,
            hashes       bytea NOT NULL
        ) WITH (fillfactor = 10);
        ALTER TABLE ledger_edges ALTER hashes SET STORAGE EXTERNAL;

        -- Secrets that all nodes need, sealed under the cluster key, which no server has.
        CREATE TABLE vault (
            name    text COLLATE "C" PRIMARY KEY,
            version bigint NOT NULL,
            sealed  bytea NOT NULL
        );
        """

    static let peers = """
        -- The address at which other nodes reach it.
        ALTER TABLE nodes ADD peer text COLLATE "C";
        """
}
