extension Tables {
    static let clockFaults = """
        -- The times in which the clock may have been ahead, in milliseconds since 1970 by the right clock, and by how
        -- many milliseconds at most. No two overlap. At most 256.
        CREATE TABLE clock_faults (
            since bigint PRIMARY KEY,
            until bigint NOT NULL,
            lead  bigint NOT NULL
        );
        """
}
