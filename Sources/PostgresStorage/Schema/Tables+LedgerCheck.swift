extension Tables {
    static let ledgerCheckOfNode = """
        -- Each node checks all ledgers by itself; the slot of the node. Nodes of the version before know one row for all, and
        -- take away the others: those nodes then begin anew.
        ALTER TABLE ledger_check ADD COLUMN node bigint NOT NULL DEFAULT 0;
        """
}
