package import SQLiteFiles

extension Schema {
    /// One row for each append. Its position is its greatest id, so positions continue to grow after everything was
    /// removed.
    package static let spool = Schema(versions: [
        """
        CREATE TABLE batches (
            position INTEGER PRIMARY KEY,
            content  BLOB NOT NULL                    -- see OccurrenceBatch
        ) STRICT;
        """,
        FolderIDTable.schema,
        """
        -- Clicks that cannot be judged now. The position is that of the last batch that was read together with them.
        CREATE TABLE parked (
            position    INTEGER NOT NULL,
            is_unjudged INTEGER NOT NULL,             -- a Certainty, as its batch has it
            content     BLOB NOT NULL,
            PRIMARY KEY (position, is_unjudged)
        ) STRICT, WITHOUT ROWID;

        -- Batches that were damaged when the drain read them.
        CREATE TABLE unreadable (
            position INTEGER PRIMARY KEY,
            content  BLOB NOT NULL
        ) STRICT;
        """,
    ])
}
