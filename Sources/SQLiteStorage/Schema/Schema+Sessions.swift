import SQLiteFiles

extension Schema {
    static let sessions = """
        -- The sessions of users who are signed in to the console.
        CREATE TABLE sessions (
            digest       BLOB PRIMARY KEY,            -- of what the browser holds
            account      TEXT NOT NULL,
            origin       INTEGER NOT NULL,            -- 1 the operator's key, 2 a key, 3 an OpenID provider
            key_digest   BLOB,                        -- of that key
            grants       TEXT NOT NULL,               -- ROLE@ORGANIZATION or operator, between spaces
            made_at      INTEGER NOT NULL,
            used_at      INTEGER NOT NULL,
            confirmed_at INTEGER NOT NULL             -- when they last proved who they are
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_account ON sessions (account, made_at);

        -- Links that sign the operator in once.
        CREATE TABLE sign_in_links (
            digest  BLOB PRIMARY KEY,
            made_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
