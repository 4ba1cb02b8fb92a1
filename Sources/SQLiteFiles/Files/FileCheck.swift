import GRDBSQLite
import Glibc
package import SQL
import SystemPackage

/// What is found in a database file without opening it for writing: SQLite's findings about its pages, tables, indexes
/// and the constraints on its rows, and how its schema differs from that of its version. Changes nothing in the folder of
/// the file.
package enum FileCheck: Hashable, Sendable {
    case sound
    /// The first fault, in SQLite's words, which name tables and pages but no content.
    case damaged(String)
    /// The file has a trigger or a view, which the service never makes.
    case foreignCode
    /// The file has other tables than its version, with the first difference.
    case foreignSchema(SchemaDifference)
    /// The file belongs to another program.
    case foreignFile
    /// A later version of the service wrote the file.
    case newer
    /// The file cannot be read without changes: the index of its write-ahead log is missing, or its permissions forbid
    /// it.
    case unchecked
    /// A part of the file could not be read, with the system's reason. What was read is sound.
    case unreadable(String)

    /// Reads the whole file. No process may write to it meanwhile. Blocks the thread as long as reading the file takes.
    /// - Parameter schema: the tables that the file must have; `nil` if it may have any.
    package init(path: String, schema: Schema? = nil) {
        self = Self.opening(path) { connection in
            let pages = Self.run("PRAGMA integrity_check(1)", connection, Self.meaning)
            guard pages == .sound else { return pages }
            return Self.comparing(connection, with: schema)
        }
    }

    /// Reads only the schema of the file, as of one moment: nothing is said about its rows. Other connections may write
    /// to the file meanwhile. Blocks the thread for some milliseconds.
    /// - Parameter schema: the tables that the file must have.
    package init(comparing path: String, with schema: Schema) {
        self = Self.opening(path) { connection in
            let code = sqlite3_exec(connection, "BEGIN", nil, nil, nil)
            guard code == SQLITE_OK else { return .unchecked }
            return Self.comparing(connection, with: schema)
        }
    }

    private static func opening(_ path: String, _ check: (OpaquePointer) -> FileCheck) -> FileCheck {
        SQLiteLibrary.prepare()
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(uri(path), &connection, flags, nil) == SQLITE_OK, let connection else {
            return .unchecked
        }
        return check(connection)
    }

    /// Finds what a start would refuse, in the order in which it looks.
    private static func comparing(_ connection: OpaquePointer, with schema: Schema?) -> FileCheck {
        let code = run(Schema.foreignCode, connection) { result, statement, connection in
            switch result {
            case SQLITE_ROW: .foreignCode
            case SQLITE_DONE: .sound
            default: meaning(of: result, statement, connection)
            }
        }
        guard code == .sound || code == .foreignCode, let schema else { return code }
        let (owner, version) = (Int64(number("application_id", connection)), Int(number("user_version", connection)))
        guard owner == Schema.applicationID || (owner == 0 && version == 0) else { return .foreignFile }
        guard version <= schema.versions.count else { return .newer }
        guard code == .sound else { return code }
        do throws(StorageError) {
            guard let difference = try schema.difference(of: connection, owner: owner, version: version) else {
                return .sound
            }
            return owner == 0 ? .foreignFile : .foreignSchema(difference)
        } catch { return .unchecked }
    }

    private static func number(_ pragma: String, _ connection: OpaquePointer) -> CInt {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let code = sqlite3_prepare_v2(connection, "PRAGMA \(pragma)", -1, &statement, nil)
        guard code == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW else { return 0 }
        return sqlite3_column_int(statement, 0)
    }

    private static func run(
        _ sql: String, _ connection: OpaquePointer, _ meaning: (CInt, OpaquePointer?, OpaquePointer) -> FileCheck
    ) -> FileCheck {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var result = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        if result == SQLITE_OK { result = sqlite3_step(statement) }
        return meaning(result, statement, connection)
    }

    private static func meaning(
        of result: CInt, _ statement: OpaquePointer?, _ connection: OpaquePointer
    ) -> FileCheck {
        switch result & 0xFF {
        case SQLITE_ROW:
            guard let text = sqlite3_column_text(statement, 0).map({ String(cString: $0) }) else { return .unchecked }
            // A first line may name the database: *** in database main ***
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("***") }
            return text == "ok" ? .sound : fault(connection, lines.joined(separator: " "))
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR:
            return fault(connection, String(cString: sqlite3_errmsg(connection)))
        default: return .unchecked
        }
    }

    /// SQLite calls a file damaged, too, of which a page cannot be read.
    private static func fault(_ connection: OpaquePointer, _ text: String) -> FileCheck {
        var code: CInt = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &code)
        return code == 0 ? .damaged(text) : .unreadable("\(Errno(rawValue: code))")
    }

    /// A file without a log is read without locks. If a killed process left a log, its content counts and is read,
    /// without writing the index next to it.
    private static func uri(_ path: String) -> String {
        let hasLog = access(DatabasePaths.log(of: path), F_OK) == 0
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(escaped)?\(hasLog ? "readonly_shm" : "immutable")=1"
    }
}
