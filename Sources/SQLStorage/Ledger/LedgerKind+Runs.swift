extension LedgerKind {
    /// How many rows of several runs one statement reads: all of them are in memory at once, with their evidence. A
    /// longer run is read alone, row by row.
    static let rowsOfRunsAtOnce: Int64 = 256

    /// The rows of many runs, each joined with `q.number`, the number of its run from 1: the tables of a `FROM`, for
    /// engines with lists. The parameters are lists with an element for each run: the first id, the last id, how many
    /// rows are read, and how many before them are skipped.
    ///
    /// The limit makes the server look up each run, where it might otherwise scan the whole table.
    /// - Parameter alias: of the rows.
    func rowsOfRuns(as alias: String) -> String {
        """
        unnest(?1, ?2, ?3, ?4) WITH ORDINALITY q (first_id, last_id, entries, skipped, number) CROSS JOIN LATERAL (
            SELECT * FROM \(table) WHERE \(idColumn) BETWEEN q.first_id AND q.last_id
            ORDER BY \(idColumn) LIMIT q.entries OFFSET q.skipped
        ) \(alias)
        """
    }
}
