extension Tables {
    static let uncountedPeople = """
        -- Whether people are missing in the counts of a message of which retention deleted interactions: versions before
        -- this one did not note it, so they may be.
        INSERT INTO activity_counts (message, series, key, total, people, automated, suspected)
            SELECT message, 8, 0, 1, 0, 0, 0 FROM deleted_interactions;
        """
}
