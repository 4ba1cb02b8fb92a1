import SQLiteFiles

extension Schema {
    static let ledgerCheckOfNode = """
        -- The slot of the node, of which there is one here.
        ALTER TABLE ledger_check ADD COLUMN node INTEGER NOT NULL DEFAULT 0;
        """
}
