/// The files that SQLite keeps beside a database file: their paths from its path, or their names from its name.
package enum DatabasePaths {
    /// The write-ahead log. Commits in it are not in the file yet.
    package static func log(of database: String) -> String { database + "-wal" }

    /// The index of the log, which processes share. SQLite makes it from the log if it is missing.
    package static func logIndex(of database: String) -> String { database + "-shm" }

    /// The rollback journal of a database without a log.
    package static func journal(of database: String) -> String { database + "-journal" }

    /// The log and its index, without the database file.
    package static func logFiles(of database: String) -> [String] { [log(of: database), logIndex(of: database)] }
}
