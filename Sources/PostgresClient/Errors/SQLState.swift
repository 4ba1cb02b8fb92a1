/// An error code of the SQL standard or of PostgreSQL (PostgreSQL 15, appendix A).
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
    /// Five digits and upper-case letters.
    let code: String

    package init(code: String) { self.code = code }

    static let insufficientPrivilege = SQLState(code: "42501")
    static let wrongObjectState = SQLState(code: "55000")

    /// The first two characters, which are the class of the code.
    var category: String { String(code.prefix(2)) }

    /// Connection exceptions, the shutdown of the server, statements that were cancelled from outside (this service
    /// sets no time limit), and transactions that were in conflict.
    var isRetryable: Bool {
        category == "08" || ["40001", "40P01", "57014", "57P01", "57P02", "57P03", "25006", "53300"].contains(code)
    }

    /// What depends on the settings of the role and the database when the session began (read-only transactions, the
    /// search path, rights), or on tables as they were when a statement was prepared.
    var isOfSession: Bool { ["28", "3F", "42"].contains(category) || ["0A000", "25006"].contains(code) }

    /// The files of the server are inconsistent.
    var isDamage: Bool { ["XX001", "XX002"].contains(code) }

    /// A problem that an operator must repair: rights, names, resources.
    var isOperational: Bool {
        ["28", "3D", "53", "57", "58"].contains(category) || ["42501", "3F000"].contains(code)
    }

    package var description: String { "\(name) (\(code))" }

    var name: String { Self.names[code] ?? Self.categories[category] ?? "error" }

    private static let names = [
        "08001": "no connection could be made", "08003": "no connection", "08006": "the connection failed",
        "22001": "a value is too long", "22003": "a number is out of range", "22021": "text that is not UTF-8",
        "23502": "a value is missing", "23503": "a row that is referred to is missing",
        "23505": "a value is there already",
        "23514": "a value is not allowed", "25006": "the server takes no writes", "25P02": "the transaction has failed",
        "26000": "no such prepared statement", "28000": "the role may not connect",
        "28P01": "wrong password, or no such role", "3D000": "no such database", "3F000": "no such schema",
        "40001": "transactions could not be serialized", "40P01": "deadlock", "42501": "rights are missing",
        "42601": "a statement cannot be read", "42703": "no such column", "42P01": "no such table",
        "42P07": "a table is there already", "53100": "the disk is full", "53200": "no memory",
        "53300": "too many connections", "55P03": "a lock was not available", "57014": "cancelled",
        "57P01": "the server was told to stop", "57P02": "the server has crashed", "57P03": "the server is starting",
        "XX001": "damaged data", "XX002": "a damaged index",
    ]

    private static let categories = [
        "08": "connection", "22": "a value", "23": "a constraint", "25": "the state of the transaction",
        "28": "authentication", "40": "the transaction was undone", "42": "a statement or rights", "53": "resources",
        "54": "a limit of the server", "55": "the state of an object", "57": "an operator's intervention",
        "58": "the operating system", "XX": "an internal error",
    ]
}
