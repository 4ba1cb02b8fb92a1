import SQLiteFiles

extension Schema {
    /// One row for each append. Its position is the greatest id in it, so positions go on growing after everything was
    /// removed.
    static let spool = Schema(versions: [
        """
        CREATE TABLE batches (
            position INTEGER PRIMARY KEY,
            content  BLOB NOT NULL                    -- see OccurrenceBatch
        ) STRICT;
        """,
        FolderMark.schema,
    ])
}
