import SQLiteFiles

extension Schema {
    static let requiredEvidence = """
        -- Whether a given consent needs evidence. Older organizations did not ask for it.
        ALTER TABLE organizations ADD COLUMN requires_evidence INTEGER NOT NULL DEFAULT 0;
        """
}
