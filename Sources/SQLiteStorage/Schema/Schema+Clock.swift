import SQLiteFiles

extension Schema {
    static let clockFaults = """
        -- The times in which the clock may have been ahead, in milliseconds since 1970 by the right clock, and by how
        -- many milliseconds at most. No two overlap. At most 256.
        CREATE TABLE clock_faults (
            since INTEGER PRIMARY KEY,
            until INTEGER NOT NULL,
            lead  INTEGER NOT NULL
        ) STRICT;
        -- What the last process knew of its clocks, in nanoseconds, on one start of the machine. At most one row.
        CREATE TABLE clock_note (
            boot          TEXT NOT NULL,
            difference    INTEGER NOT NULL,           -- wall time minus monotonic time
            suspect_since INTEGER NOT NULL            -- monotonic time of the last step ahead
        ) STRICT;
        """
}
