extension Tables {
    /// The nodes first: each write transaction of the version before reads its node's row at its beginning, and writes
    /// the edges at its end. The other way round, the step would wait for one that waits for it.
    static let ledgerSeals = """
        -- Whether the node's version seals ledgers.
        ALTER TABLE nodes ADD seals boolean NOT NULL DEFAULT false;
        -- An HMAC over the size and the hashes, under a key that no server has. NOT NULL once every node seals: then
        -- the insert of a node of a version without seals fails.
        ALTER TABLE ledger_edges ADD seal bytea;
        ALTER TABLE ledger_edges ALTER seal SET STORAGE PLAIN;
        """
}
