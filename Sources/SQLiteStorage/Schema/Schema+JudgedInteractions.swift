import SQLiteFiles

extension Schema {
    /// For every stored interaction, the earlier interactions of its recipient with the message are read. The index has
    /// all columns that counting reads; the rows themselves would each be in another page.
    static let judgedInteractions = """
        DROP INDEX interactions_of_person;
        CREATE INDEX interactions_of_person
            ON interactions (message, recipient, position, kind, occurred_at, link, visitor)
            WHERE recipient IS NOT NULL;
        """
}
