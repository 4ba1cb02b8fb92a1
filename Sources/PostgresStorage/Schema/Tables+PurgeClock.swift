extension Tables {
    static let purgeClockOfHold = """
        -- Since when the clock is not believed, so that a restart does not begin that time anew; NULL where it is, and
        -- where a node of the version before noted it.
        ALTER TABLE purge_clock ADD COLUMN held_since bigint;
        -- When the clock was last looked at.
        ALTER TABLE purge_clock ADD COLUMN seen bigint;
        """
}
