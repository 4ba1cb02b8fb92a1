import GRDB
import SQL

/// The settings of the connections of a file. They are set and read back on each connection when it is opened.
///
/// SQLite silently ignores a pragma that it does not know or cannot apply, so only the value that is read back counts.
struct ConnectionSettings: Sendable {
    private struct Pragma: Sendable {
        let name: String
        let value: String
        /// The value in SQLite's form.
        let reported: String
    }

    /// A longer wait for the file would delay every caller that waits for a commit.
    static let busyTimeoutMilliseconds = 250

    private let pragmas: [Pragma]

    /// For the connection that writes: a commit returns after the write-ahead log was synced, and deleted content is
    /// overwritten. ``DatabaseFile`` decides when to checkpoint, because it must see the errors of a checkpoint.
    ///
    /// - Parameter logBytes: how many bytes of the write-ahead log's file stay after all of it was written back. SQLite
    ///   truncates a longer file with the next commit.
    static func writer(cacheKibibytes: Int, logBytes: Int) -> ConnectionSettings {
        ConnectionSettings(
            pragmas: shared(cacheKibibytes: cacheKibibytes) + [
                Pragma(name: "journal_mode", value: "WAL", reported: "wal"),
                Pragma(name: "synchronous", value: "FULL", reported: "2"),
                Pragma(name: "secure_delete", value: "ON", reported: "1"),
                Pragma(name: "foreign_keys", value: "ON", reported: "1"),
                Pragma(name: "wal_autocheckpoint", value: "0", reported: "0"),
                Pragma(name: "journal_size_limit", value: String(logBytes), reported: String(logBytes)),
            ]
        )
    }

    /// For the connections that read. They are opened read-only, so they can never checkpoint.
    static func reader(cacheKibibytes: Int) -> ConnectionSettings {
        ConnectionSettings(
            pragmas: shared(cacheKibibytes: cacheKibibytes) + [
                Pragma(name: "query_only", value: "ON", reported: "1")
            ]
        )
    }

    /// Sorting and savepoints stay in memory, so that no temporary file contains personal data. The file is read with
    /// `pread`, for which an I/O error is an error and not a signal.
    private static func shared(cacheKibibytes: Int) -> [Pragma] {
        let timeout = String(busyTimeoutMilliseconds)
        return [
            Pragma(name: "busy_timeout", value: timeout, reported: timeout),
            Pragma(name: "temp_store", value: "MEMORY", reported: "2"),
            Pragma(name: "mmap_size", value: "0", reported: "0"),
            Pragma(name: "trusted_schema", value: "OFF", reported: "0"),
            Pragma(name: "cache_size", value: "-\(cacheKibibytes)", reported: "-\(cacheKibibytes)"),
        ]
    }

    /// - Throws: ``StorageError/setting(name:expected:found:)`` for the first setting that the connection does not
    ///   apply.
    func apply(to db: Database) throws {
        for pragma in pragmas {
            try db.execute(sql: "PRAGMA \(pragma.name) = \(pragma.value)")
        }
        try verify(db)
    }

    func verify(_ db: Database) throws {
        for pragma in pragmas {
            let found = try db.statement("PRAGMA \(pragma.name)").first { $0.text(0) }
            guard found == pragma.reported else {
                throw StorageError.setting(
                    name: pragma.name,
                    expected: pragma.reported,
                    found: found ?? "unknown"
                )
            }
        }
    }
}
