import GRDB
import GRDBSQLite

/// Counts the pages of the write-ahead log, by SQLite's hook after each commit.
final class LogMeter: @unchecked Sendable {
    // Sendable: both are used on the writer's queue only, where the hook is called too.
    private(set) var pages = 0
    private var pagesAtCheckpoint = 0

    /// By how many pages the log grew since the last checkpoint, whether or not that could write all of it back.
    var growth: Int { pages - pagesAtCheckpoint }

    func noteCheckpoint() { pagesAtCheckpoint = pages }

    /// The meter must outlive the connection.
    func watch(_ db: Database) {
        sqlite3_wal_hook(
            db.sqliteConnection,
            { meter, _, _, pages in
                guard let meter else { return SQLITE_OK }
                Unmanaged<LogMeter>.fromOpaque(meter).takeUnretainedValue().didCommit(pages: Int(pages))
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func didCommit(pages: Int) {
        // The log begins again after all of it was written back and no reader needs it.
        if pages < self.pages { pagesAtCheckpoint = 0 }
        self.pages = pages
    }
}
