extension Tables {
    /// One index by recipient for clicks instead of two. Each click wrote to random pages of both, which was a third of
    /// the server's cost of storing a click.
    static let personIndex = """
        DROP INDEX interactions_by_recipient;
        DROP INDEX interactions_of_person;
        CREATE INDEX interactions_of_person ON interactions (recipient, message, position)
            WHERE recipient IS NOT NULL;
        """
}
