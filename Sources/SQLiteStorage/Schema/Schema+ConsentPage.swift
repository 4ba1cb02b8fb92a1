import SQLiteFiles

extension Schema {
    static let consentPage = """
        -- The organization's own page on which a recipient can consent. NULL if it has none.
        ALTER TABLE organizations ADD COLUMN consent_url TEXT;
        """
}
