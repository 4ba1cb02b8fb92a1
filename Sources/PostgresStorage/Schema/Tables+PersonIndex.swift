extension Tables {
    /// One index of people for clicks instead of two. Both were written to anywhere at each click, and that was a third of
    /// what storing one cost the server.
    static let personIndex = """
        DROP INDEX interactions_by_recipient;
        DROP INDEX interactions_of_person;
        CREATE INDEX interactions_of_person ON interactions (recipient, message, position)
            WHERE recipient IS NOT NULL;
        """
}
