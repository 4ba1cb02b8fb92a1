import SQLiteFiles

extension Schema {
    /// Every interaction that is stored asks what its recipient did with the message before. The index has all that
    /// counting reads of it: with the rows themselves each of them would be looked up in another page.
    static let judgedInteractions = """
        DROP INDEX interactions_of_person;
        CREATE INDEX interactions_of_person
            ON interactions (message, recipient, position, kind, occurred_at, link, visitor)
            WHERE recipient IS NOT NULL;
        """
}
