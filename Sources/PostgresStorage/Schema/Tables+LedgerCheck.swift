extension Tables {
    static let ledgerCheckOfNode = """
        -- Each node checks all ledgers by itself; the slot of the node. Nodes of the version before share the row of 0.
        ALTER TABLE ledger_check ADD COLUMN node bigint NOT NULL DEFAULT 0;
        """
}
