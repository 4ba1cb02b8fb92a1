import SQLiteFiles

extension Schema {
    /// What caused each interaction, and how that is known. Rows that are older than this column only have
    /// `is_automated`, which follows from it from now on.
    static let visitors = """
        ALTER TABLE interactions ADD COLUMN visitor INTEGER NOT NULL DEFAULT 0;   -- the number of a Visitor
        UPDATE interactions SET visitor = 3 WHERE is_automated;
        """
}
