import GRDBSQLite
import Glibc
package import Identifiers

/// What the header and the tables of a database file say about it. The file is read without its write-ahead log, and
/// nothing in its folder is changed: no locks, no companion files.
package enum DatabaseFileProbe: Hashable, Sendable {
    /// A file of the service, with the data folder it was made for; `nil` if it has none noted.
    /// - hasLedgers: whether it has, or had, ledgers to sign. Files of the first versions have none.
    case own(FolderID?, hasLedgers: Bool)
    /// Another program's database.
    case foreign
    /// Not a database, or one whose end is missing.
    case damaged

    /// A file whose log was not written back yet, because the process was killed, may look ``damaged`` or unmarked
    /// although it is neither.
    package init(path: String) {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(Self.immutable(path), &connection, flags, nil) == SQLITE_OK, let connection,
            let owner = Self.text("PRAGMA application_id", connection),
            let version = Self.text("PRAGMA user_version", connection),
            let isMarked = Self.text("SELECT count(*) FROM sqlite_schema WHERE name = 'folder'", connection),
            let hasLedgers = Self.text("SELECT count(*) FROM sqlite_schema WHERE name = 'ledgers'", connection),
            Self.text("PRAGMA page_size", connection).flatMap(Int.init).map({ Self.hasWholePages(path, of: $0) })
                == true
        else {
            self = .damaged
            return
        }
        guard owner == String(Schema.applicationID) || (owner == "0" && version == "0") else {
            self = .foreign
            return
        }
        let id = isMarked == "0" ? nil : Self.text("SELECT max(id) FROM folder", connection).flatMap(FolderID.init)
        self = .own(id, hasLedgers: hasLedgers != "0")
    }

    /// Whether the file ends with a whole page. SQLite would replace missing bytes of the last page by zeros.
    ///
    /// The file is not opened for it: closing any descriptor of a file releases all locks of the process on it,
    /// including those that SQLite relies on while the service runs (fcntl(2)).
    private static func hasWholePages(_ path: String, of size: Int) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && Int(status.st_size).isMultiple(of: size)
    }

    private static func immutable(_ path: String) -> String {
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(escaped)?immutable=1"
    }

    /// The first column of the first row; `nil` if the file cannot be read.
    private static func text(_ sql: String, _ connection: OpaquePointer) -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return nil }
        return String(cString: text)
    }
}
