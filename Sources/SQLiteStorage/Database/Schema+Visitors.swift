import SQLiteFiles

extension Schema {
    /// What caused each interaction, and how that is known. Of rows that are older than this column nothing is known but
    /// `is_automated`, which from now on follows from it.
    static let visitors = """
        ALTER TABLE interactions ADD COLUMN visitor INTEGER NOT NULL DEFAULT 0;   -- the number of a Visitor
        UPDATE interactions SET visitor = 3 WHERE is_automated;
        """
}
