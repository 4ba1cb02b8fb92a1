import SQLiteFiles

extension Schema {
    static let ledgerCheckOfNode = """
        -- The slot of the node. There is only one node here.
        ALTER TABLE ledger_check ADD COLUMN node INTEGER NOT NULL DEFAULT 0;
        """
}
