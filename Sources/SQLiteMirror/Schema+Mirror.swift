import SQLiteFiles

extension Schema {
    /// The file is a copy, so a file of a later version is made anew.
    static let mirror = Schema(versions: [
        """
        -- The cursor up to which the file follows the storage.
        CREATE TABLE state (
            one       INTEGER PRIMARY KEY CHECK (one = 1),
            position  INTEGER NOT NULL,               -- of the feed of rules
            mark      INTEGER NOT NULL,
            copied    INTEGER,                        -- all messages up to this id are here
            is_whole  INTEGER NOT NULL,               -- whether those after it are, too
            noted_at  INTEGER NOT NULL                -- service time, in milliseconds since 1970
        ) STRICT;

        CREATE TABLE organizations (
            number      INTEGER PRIMARY KEY,
            id          TEXT NOT NULL UNIQUE,
            enforcement TEXT NOT NULL,
            honors_gpc  INTEGER NOT NULL
        ) STRICT;

        -- An organization and a purpose.
        CREATE TABLE lists (
            number       INTEGER PRIMARY KEY,
            organization INTEGER NOT NULL,
            purpose      TEXT NOT NULL,
            UNIQUE (organization, purpose)
        ) STRICT;

        -- The recipients whose recording ends, and when.
        CREATE TABLE ends (
            list      INTEGER NOT NULL,
            reference INTEGER NOT NULL,
            ends_at   INTEGER NOT NULL,               -- in milliseconds since 1970
            PRIMARY KEY (list, reference)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE erased (
            organization INTEGER NOT NULL,
            reference    INTEGER NOT NULL,
            PRIMARY KEY (organization, reference)
        ) STRICT, WITHOUT ROWID;

        -- The addresses at which other nodes can be asked.
        CREATE TABLE peers (
            address TEXT PRIMARY KEY
        ) STRICT, WITHOUT ROWID;

        -- A packed FollowedMessage, preceded by 16 bytes of an HMAC over the id and the content.
        CREATE TABLE messages (
            id      INTEGER PRIMARY KEY,
            content BLOB NOT NULL
        ) STRICT;
        """,
        """
        -- The list without a purpose has who said no to opens apart from links. A file of version 1 does not tell who
        -- did: until all rules are written again, each recipient whose recording for `open-tracking` ends counts.
        ALTER TABLE state ADD COLUMN lacks_rules INTEGER NOT NULL DEFAULT 0;
        UPDATE state SET lacks_rules = 1;
        INSERT INTO lists (organization, purpose) SELECT organization, '' FROM lists WHERE purpose = 'open-tracking';
        INSERT INTO ends (list, reference, ends_at)
            SELECT refused.number, ends.reference, ends.ends_at
            FROM lists refused
            JOIN lists own ON own.organization = refused.organization AND own.purpose = 'open-tracking'
            JOIN ends ON ends.list = own.number
            WHERE refused.purpose = '';
        """,
    ])
}
