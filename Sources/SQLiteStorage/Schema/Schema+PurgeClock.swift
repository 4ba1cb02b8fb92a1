import SQLiteFiles

extension Schema {
    static let purgeClockOfHold = """
        -- Since when the clock is not trusted, so that a restart does not begin that time again. NULL if the clock is
        -- trusted, or if a version before this one noted the hold.
        ALTER TABLE purge_clock ADD COLUMN held_since INTEGER;
        -- When the clock was last checked.
        ALTER TABLE purge_clock ADD COLUMN seen INTEGER;
        """
}
