import SQLiteFiles

extension Schema {
    static let consentPage = """
        -- The organization's own page on which a person can agree; NULL where it names none.
        ALTER TABLE organizations ADD COLUMN consent_url TEXT;
        """
}
