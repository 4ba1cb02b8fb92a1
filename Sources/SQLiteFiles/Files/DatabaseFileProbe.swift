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
    /// The file could not be opened or read, for the reason of this `errno`. It may be sound.
    case unreadable(CInt)

    /// A file whose log was not written back yet, because the process was killed, may look ``damaged`` or unmarked
    /// although it is neither.
    package init(path: String) {
        SQLiteLibrary.prepare()
        do throws(Fault) {
            self = try Self.look(at: path)
        } catch {
            switch error {
            case .damage: self = .damaged
            case .errno(let code): self = .unreadable(code)
            }
        }
    }

    private enum Fault: Error {
        case damage
        case errno(CInt)
    }

    private static func look(at path: String) throws(Fault) -> DatabaseFileProbe {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        defer { sqlite3_close_v2(connection) }
        let code = sqlite3_open_v2(immutable(path), &connection, flags, nil)
        guard let connection else { throw .errno(ENOMEM) }
        guard code == SQLITE_OK else { throw fault(connection) }
        let owner = try text("PRAGMA application_id", connection)
        let version = try text("PRAGMA user_version", connection)
        let isMarked = try text("SELECT count(*) FROM sqlite_schema WHERE name = 'folder'", connection)
        let hasLedgers = try text("SELECT count(*) FROM sqlite_schema WHERE name = 'ledgers'", connection)
        guard let size = try text("PRAGMA page_size", connection).flatMap(Int.init), size > 0,
            try hasWholePages(path, of: size)
        else { throw .damage }
        guard owner == String(Schema.applicationID) || (owner == "0" && version == "0") else { return .foreign }
        let id = isMarked == "0" ? nil : try text("SELECT max(id) FROM folder", connection).flatMap(FolderID.init)
        return .own(id, hasLedgers: hasLedgers != "0")
    }

    /// Whether the file ends with a whole page. SQLite would replace missing bytes of the last page by zeros.
    ///
    /// The file is not opened for it: closing any descriptor of a file releases all locks of the process on it,
    /// including those that SQLite relies on while the service runs (fcntl(2)).
    private static func hasWholePages(_ path: String, of size: Int) throws(Fault) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .errno(errno) }
        return Int(status.st_size).isMultiple(of: size)
    }

    private static func immutable(_ path: String) -> String {
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(escaped)?immutable=1"
    }

    /// The first column of the first row; `nil` if there is none.
    private static func text(_ sql: String, _ connection: OpaquePointer) throws(Fault) -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw fault(connection) }
        guard code == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else { return nil }
        return String(cString: text)
    }

    /// Why the last call failed. Nothing at the path, and something that is no file, is no database.
    private static func fault(_ connection: OpaquePointer) -> Fault {
        var code: CInt = 0
        switch sqlite3_errcode(connection) {
        case SQLITE_NOMEM: code = ENOMEM
        case SQLITE_CANTOPEN, SQLITE_IOERR: code = sqlite3_system_errno(connection)
        // Also of a page that cannot be read.
        default: sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &code)
        }
        return [0, ENOENT, ENOTDIR, EISDIR, ELOOP].contains(code) ? .damage : .errno(code)
    }
}
