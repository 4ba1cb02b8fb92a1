import SQLiteFiles

extension Schema {
    static let uncountedPeople = """
        -- Whether recipients are missing in the counts of a message of which retention deleted interactions. Versions
        -- before this one did not note it, so recipients may be missing.
        INSERT INTO activity_counts (message, series, key, total, people, automated, suspected)
            SELECT message, 8, 0, 1, 0, 0, 0 FROM deleted_interactions;
        """
}
