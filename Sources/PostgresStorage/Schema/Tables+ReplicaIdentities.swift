extension Tables {
    /// A table without a primary key refuses UPDATE and DELETE once it is in a publication, such as one for all tables.
    /// These have few rows.
    static let replicaIdentities = """
        ALTER TABLE consent_filling REPLICA IDENTITY FULL;
        ALTER TABLE erasure_key REPLICA IDENTITY FULL;
        ALTER TABLE evidence_word_filling REPLICA IDENTITY FULL;
        ALTER TABLE folder REPLICA IDENTITY FULL;
        ALTER TABLE ledger_check REPLICA IDENTITY FULL;
        ALTER TABLE purge_clock REPLICA IDENTITY FULL;
        """
}
