extension Tables {
    static let ledgerCheckOfNode = """
        -- The slot of the node: each node checks all ledgers by itself. Nodes of the version before have one row for
        -- all nodes and delete the others, whose nodes then begin again.
        ALTER TABLE ledger_check ADD COLUMN node bigint NOT NULL DEFAULT 0;
        """
}
