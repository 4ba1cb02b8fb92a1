import SQL
import StoragePorts

/// Why a server did not carry out a request. The description has no value and no statement: a server's messages may
/// contain both, so only codes and the names of constraints and tables are taken from them.
package struct PostgresError: StoreFailure, Hashable {
    package enum Reason: Hashable, Sendable {
        /// The server refused, with this SQLSTATE.
        case server(SQLState, object: String?)
        /// The connection was lost, or no answer came in time. The command may have been carried out.
        case connectionLost
        /// The commit of an earlier transaction still waits for a standby.
        case unconfirmed
        /// No connection could be made; has libpq's reason.
        case cannotConnect(String)
        /// All servers that could be reached are standbys, which take no writes.
        case noPrimary
        /// A proxy such as PgBouncer keeps the settings of a session from the server.
        case pooled
        /// These schemas of the search path all have the service's tables, and one would be written instead of another.
        case severalSchemas(String)
        /// The server is older than this version, which has the form `150000` for 15.0.
        case oldServer(Int32)
        /// A statement has more or fewer values than places.
        case values
    }

    package let reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    package var description: String {
        switch reason {
        case .server(let state, let object):
            "PostgreSQL refused: \(state)" + (object.map { " (\($0))" } ?? "")
        case .connectionLost: "the connection to PostgreSQL was lost"
        case .unconfirmed: "commits wait for a standby of PostgreSQL, which does not confirm them"
        case .cannotConnect(let text): "PostgreSQL cannot be reached: \(text)"
        case .noPrimary: "none of the PostgreSQL servers takes writes: all that can be reached are standbys"
        case .pooled:
            """
            the connection leads to a pooler that does not pass on the settings of a session: connect to the server \
            itself, or through a proxy that passes everything on
            """
        case .severalSchemas(let names):
            """
            several schemas of search_path have the tables of ConsentLink (\(names)): set search_path of the role or the \
            database to the one that has the data
            """
        case .oldServer(let version):
            "PostgreSQL \(version / 10_000).\(version % 10_000) is too old: 15 or later is needed"
        case .values: "a statement has another number of values than places"
        }
    }

    package var isTransient: Bool { true }

    /// Whether the whole transaction may be run again: the connection was lost, the server restarts, or another
    /// transaction was in conflict.
    package var isRetryable: Bool {
        switch reason {
        case .server(let state, _): state.isRetryable
        case .connectionLost, .cannotConnect, .noPrimary: true
        case .unconfirmed, .pooled, .severalSchemas, .oldServer, .values: false
        }
    }

    /// Whether the server or the network has ended the connection, or the server confirms nothing.
    package var isOfConnection: Bool { endsConnection || reason == .unconfirmed }

    /// Whether the search path names more than one schema with the service's tables.
    package var isOfSchema: Bool { if case .severalSchemas = reason { true } else { false } }

    var endsConnection: Bool {
        switch reason {
        case .server(let state, _): ["57P01", "57P02", "57P03"].contains(state.code) || state.category == "08"
        case .connectionLost, .cannotConnect, .noPrimary, .pooled, .oldServer: true
        case .unconfirmed, .severalSchemas, .values: false
        }
    }

    /// Whether a new connection may not have the fault: the session has the settings of its start, and statements that
    /// were prepared for the tables as they were.
    var isOfSession: Bool {
        if case .server(let state, _) = reason { state.isOfSession } else { false }
    }

    /// The same error for stores, which do not know about servers.
    package var storageError: any Error {
        switch reason {
        case .server(let state, _) where state.code == "53100": StorageError.full
        case .server(let state, _) where state.code == "55P03": StorageError.busy
        case .server(let state, let object) where state.isDamage:
            StorageError.failed(EngineFault(code: state.code, text: state.name, object: object))
        case .server(let state, let object) where !state.isRetryable && !state.isOperational:
            StorageError.refused(EngineFault(code: state.code, text: state.name, object: object))
        default: self
        }
    }
}
