extension Tables {
    static let consentsNotGiven = """
        -- The records that answer a consent request whenever they are dated.
        CREATE INDEX consents_not_given ON consents (organization, recipient, purpose, id) WHERE state <> 1;
        """
}
