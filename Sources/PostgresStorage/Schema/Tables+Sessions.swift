extension Tables {
    static let sessions = """
        -- The sessions of users who are signed in to the console.
        CREATE TABLE sessions (
            digest       bytea PRIMARY KEY,  -- of what the browser holds
            account      text COLLATE "C" NOT NULL,
            origin       bigint NOT NULL,  -- 1 the operator's key, 2 a key, 3 an OpenID provider
            key_digest   bytea,  -- of that key
            grants       text COLLATE "C" NOT NULL,  -- ROLE@ORGANIZATION or operator, between spaces
            made_at      bigint NOT NULL,
            used_at      bigint NOT NULL,
            confirmed_at bigint NOT NULL  -- when they last proved who they are
        );
        CREATE INDEX sessions_by_account ON sessions (account, made_at);

        -- Links that sign the operator in once.
        CREATE TABLE sign_in_links (
            digest  bytea PRIMARY KEY,
            made_at bigint NOT NULL
        );
        """
}
