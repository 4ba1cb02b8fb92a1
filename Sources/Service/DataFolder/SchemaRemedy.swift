import SQL
import SQLiteFiles

/// What the operator can do about a database with another schema than that of its version. Nothing that was recorded is
/// given up for something that can be removed or made again.
struct SchemaRemedy: CustomStringConvertible {
    /// The place of the database in the folder.
    let file: String
    let difference: SchemaDifference

    var description: String {
        switch difference {
        case .unknown(let object) where object.type == "index":
            """
            Find out who made it: an index may have kept records from being stored. Stop the service, and remove it \
            with sqlite3: DROP INDEX \(object.shownName);
            """
        case .unknown(let object):
            """
            Find out who made it, and save what is in it. Stop the service, and remove it with sqlite3: \
            DROP \(object.type.uppercased()) \(object.shownName);
            """
        case .missing(let object) where object.type == "index":
            "Find out who removed it. Stop the service, and make it again with sqlite3\(making(object)). \(Self.failing)"
        case .different(let object) where object.type == "index":
            """
            Find out who changed it. Stop the service, and make it again with sqlite3: DROP INDEX \
            \(object.shownName); then\(making(object)). \(Self.failing)
            """
        case .missing, .different, .version:
            """
            Find out who changed it, and what was lost since: a table without its constraints takes what it must \
            refuse. Restore the newest backup from before into an empty folder.
            """
        }
    }

    private static let failing = """
        If that fails, the table has rows that it must refuse: restore the newest backup from before into an empty \
        folder.
        """

    private func making(_ object: SchemaObjectName) -> String {
        guard let statement = FolderDatabases.schema(of: file)?.statement(making: object) else {
            return " as the newest backup has it: SELECT sql FROM sqlite_schema WHERE name = '\(object.shownName)'"
        }
        return ": \(statement)"
    }
}
