import SQLiteFiles

extension Schema {
    static let consentsNotGiven = """
        -- The records that answer a consent request whenever they are dated. Each entry ends with the id.
        CREATE INDEX consents_not_given ON consents (organization, recipient, purpose) WHERE state <> 1;
        """
}
