import SQLiteFiles

extension Schema {
    static let purgeClockOfHold = """
        -- Since when the clock is not believed, so that a restart does not begin that time anew; NULL where it is, and
        -- where a version before this one noted it.
        ALTER TABLE purge_clock ADD COLUMN held_since INTEGER;
        -- When the clock was last looked at.
        ALTER TABLE purge_clock ADD COLUMN seen INTEGER;
        """
}
